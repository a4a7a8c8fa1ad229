import { capsOf, shortcutTable } from '../../lib/shortcut-table.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { useGoToPages } from './go-to-pages.ts'

export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const reachable = new Set<string>(useGoToPages().map(({ shortcut }) => shortcut))
  return (
    <Dialog
      wide
      title="Keyboard shortcuts"
      about="Keys without Ctrl, ⌘ or Alt can be switched off in the account menu."
      onClose={onClose}
    >
      <div className="shortcuts">
        {shortcutTable.map(({ title, entries }) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {entries
                .filter(({ keys: [name] }) => !name.startsWith('g ') || reachable.has(name))
                .map((entry) => (
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
    </Dialog>
  )
}
