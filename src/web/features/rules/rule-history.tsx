import { useEffect, useRef, useState } from 'react'
import type { RuleDetail } from '../../../contract/rules/rule.ts'
import { classes } from '../../lib/classes.ts'
import { formatShortDay, localDay } from '../../lib/days.ts'
import { displayName } from '../../lib/display-name.ts'
import { formatFullDate } from '../../lib/time.ts'
import { useNameOf } from '../../lib/use-members.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import styles from './rule-history.module.css'
import { describeEntry } from './rule-texts.ts'

type Entry = RuleDetail['history'][number]
const maxEntries = 8

export function RuleHistory({ history }: { history: Entry[] }) {
  const { me } = useWorkspace()
  const nameOf = useNameOf()
  const [isLong, setLong] = useState(false)
  const firstNew = useRef<HTMLLIElement>(null)
  // The button that had the focus is no longer there.
  useEffect(() => {
    if (isLong) firstNew.current?.focus()
  }, [isLong])
  if (history.length === 0) return null
  const shown = isLong ? history : history.slice(0, maxEntries)
  const nameIn = ({ by }: Entry) => {
    if (by === undefined) return undefined
    return by === me.person.email ? 'You' : displayName(by, nameOf)
  }
  return (
    <section>
      <h2>What happened</h2>
      <ol className={styles.history}>
        {shown.map((entry, n) => (
          <li
            key={n}
            className={classes(markOf(entry))}
            {...(n === maxEntries && { ref: firstNew, tabIndex: -1 })}
          >
            <span>
              <bdi>{bidiSafe(describeEntry(entry, nameIn(entry)))}</bdi>
            </span>
            <time dateTime={entry.at} title={formatFullDate(entry.at)}>
              {formatShortDay(localDay(entry.at))}
            </time>
          </li>
        ))}
      </ol>
      {shown.length < history.length && (
        <button type="button" className="text-button unfold" onClick={() => setLong(true)}>
          Show more
        </button>
      )}
    </section>
  )
}

/** A ring for people, a diamond for what needs attention, as in the timeline of a task. */
function markOf({ action, by, details }: Entry): string | undefined {
  if (action === 'rule.paused' && details.because !== 'person') return styles.warn
  return by === undefined ? undefined : styles.person
}
