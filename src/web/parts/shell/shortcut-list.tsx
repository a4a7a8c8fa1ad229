import { capOf } from '../../lib/key-caps.ts'
import { type ShortcutEntry, type ShortcutName, shortcutTable } from '../../lib/shortcut-table.ts'
import styles from './shortcut-list.module.css'

/** All shortcuts by group. With `h2` it is part of the settings page, with `h3` of a dialog. */
export function ShortcutList({ heading: Heading }: { heading: 'h2' | 'h3' }) {
  return (
    <div className={Heading === 'h2' ? `${styles.shortcuts} ${styles.page}` : styles.shortcuts}>
      {shortcutTable.map(({ title, entries }) => (
        <section key={title}>
          <Heading>{title}</Heading>
          <dl>
            {entries.map((entry) => (
              <div key={entry.label}>
                <dt>
                  {capsOf(entry).map((cap) => (
                    <kbd key={cap}>{cap}</kbd>
                  ))}
                </dt>
                <dd>{entry.label}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  )
}

function capsOf({ keys, caps = keys }: ShortcutEntry): string[] {
  return caps.map((cap) => capOf(cap as ShortcutName))
}
