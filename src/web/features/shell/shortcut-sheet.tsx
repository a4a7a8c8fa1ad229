import { keyCap } from '../../lib/shortcuts.ts'
import { Dialog } from '../../ui/dialog.tsx'

type Group = { title: string; keys: [keys: string[], does: string][] }

const groups: Group[] = [
  {
    title: 'Tasks',
    keys: [
      [['J', '↓'], 'Next task'],
      [['K', '↑'], 'Previous task'],
      [['Enter', 'O'], 'Into the task'],
      [['Esc'], 'Out of a field, then back to the list'],
      [['?'], 'This sheet'],
    ],
  },
  {
    title: 'Answer',
    keys: [
      [[keyCap.action('1…9')], 'Choose an action'],
      [['1…9'], 'Pick an option'],
      [[keyCap.submit], 'Send and go on'],
      [['E'], 'Mark done'],
      [['R'], 'Reject with feedback'],
    ],
  },
]

export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      title="Keyboard shortcuts"
      about="Keys without Ctrl, ⌘ or Alt can be switched off in the account menu."
      onClose={onClose}
    >
      <div className="shortcuts">
        {groups.map(({ title, keys }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {keys.map(([caps, does]) => (
                <div key={does}>
                  <dt>
                    {caps.map((cap) => (
                      <kbd key={cap}>{cap}</kbd>
                    ))}
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
