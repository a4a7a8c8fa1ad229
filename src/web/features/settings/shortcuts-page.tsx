import { setPreference, usePreference } from '../../lib/preferences.ts'
import { ShortcutList } from '../../parts/shell/shortcut-list.tsx'
import { ChoiceGroup } from '../../ui/choice-group.tsx'
import { PageFrame } from '../../ui/page-frame.tsx'

const singleKeyChoices = [
  ['on', 'On', 'J, K, E, the digits and the others work while no field has focus.'],
  ['off', 'Off', 'Only keys with Ctrl, ⌘ or Alt do something. For speech input and sticky keys.'],
] as const

export function ShortcutsPage() {
  return (
    <PageFrame title="Shortcuts" lede="Everything in the inbox can be done without a mouse.">
      <ChoiceGroup
        label="Single keys"
        value={usePreference('singleKeys')}
        options={singleKeyChoices}
        onChoose={(value) => setPreference('singleKeys', value)}
      />
      <ShortcutList heading="h2" />
    </PageFrame>
  )
}
