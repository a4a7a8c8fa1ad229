import { setPreference, usePreference } from '../../lib/preferences.ts'
import { ChoiceGroup } from '../../ui/choice-group.tsx'
import { PageFrame } from './page-frame.tsx'
import { capsOf, shortcutTable } from './shortcut-groups.ts'

const switches = [
  ['on', 'On', 'J, K, E, the digits and the others work while no field has focus.'],
  ['off', 'Off', 'Only keys with Ctrl, ⌘ or Alt do something. For speech input and sticky keys.'],
] as const

export function ShortcutsPage() {
  return (
    <PageFrame title="Shortcuts" lede="Everything in the inbox can be done without a mouse.">
      <ChoiceGroup
        label="Single keys"
        value={usePreference('singleKeys')}
        options={switches}
        onChoose={(value) => setPreference('singleKeys', value)}
      />
      <div className="shortcuts">
        {shortcutTable.map(({ title, entries }) => (
          <section key={title}>
            <h2>{title}</h2>
            <dl>
              {entries.map((entry) => (
                <div key={entry.does}>
                  <dt>
                    {capsOf(entry).map((cap) => (
                      <kbd key={cap}>{cap}</kbd>
                    ))}
                  </dt>
                  <dd>{entry.does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </PageFrame>
  )
}
