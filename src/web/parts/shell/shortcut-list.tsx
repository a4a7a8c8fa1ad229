import { capsOf, shortcutTable } from '../../lib/shortcut-table.ts'
import { useGoToPages } from './go-to-pages.ts'
import styles from './shortcut-list.module.css'

/** All shortcuts by group, except those for pages that do not exist. */
export function ShortcutList({ heading: Heading }: { heading: 'h2' | 'h3' }) {
  const reachable = new Set<string>(useGoToPages().map(({ shortcut }) => shortcut))
  return (
    <div className={Heading === 'h2' ? `${styles.shortcuts} ${styles.page}` : styles.shortcuts}>
      {shortcutTable.map(({ title, entries }) => (
        <section key={title}>
          <Heading>{title}</Heading>
          <dl>
            {entries
              .filter(({ keys: [name] }) => !name.startsWith('g ') || reachable.has(name))
              .map((entry) => (
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
