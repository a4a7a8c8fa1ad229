import { setPreference, usePreference } from '../../lib/preferences.ts'
import { ShortcutList } from '../../parts/shell/shortcut-list.tsx'
import { ChoiceGroup } from '../../ui/choice-group.tsx'
import { PageFrame } from '../../ui/page-frame.tsx'

const singleKeyChoices = [
  ['on', 'On', 'J, K, E, digits and other keys work while no field has focus.'],
  [
    'off',
    'Off',
    'Only shortcuts with Ctrl, ⌘ or Alt, arrow keys, Enter, Space and Esc work. Choose this for speech input and sticky keys.',
  ],
] as const

export function ShortcutsPage() {
  return (
    <PageFrame title="Shortcuts" intro="You can do everything in the inbox without a mouse.">
      <ChoiceGroup
        label="Single-key shortcuts"
        value={usePreference('singleKeys')}
        options={singleKeyChoices}
        onChoose={(value) => setPreference('singleKeys', value)}
      />
      <ShortcutList heading="h2" />
    </PageFrame>
  )
}
