import { Lock } from 'lucide-react'
import { splitAtMentions } from '../../../contract/mentions.ts'
import type { TaskNote } from '../../../contract/note.ts'
import { displayName } from '../../lib/display-name.ts'
import { formatTime, fullDate } from '../../lib/time.ts'
import { useNameOf } from '../../lib/use-members.ts'
import { useNow } from '../../lib/use-now.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { Icon } from '../../ui/icon.tsx'
import styles from './notes.module.css'
import { useHide } from './presented-task.ts'

/** What a colleague wrote, to whom they handed the task, or a step of its policy. Looks unlike what the agent sees. */
export function NoteEntry({ note: { kind, text, by, at, assignedTo } }: { note: TaskNote }) {
  const now = useNow()
  const hide = useHide()
  const { me } = useWorkspace()
  const names = useNameOf()
  const nameOf = (who: string) => displayName(who, names, me.person.email)
  const isStep = kind === 'reminded' || kind === 'escalated'
  const author = isStep ? 'Policy' : nameOf(by)
  return (
    <li className={styles.note}>
      <div className={styles.head}>
        <Avatar name={isStep ? author : displayName(by, names)} />
        <b title={isStep ? undefined : by}>
          <bdi>{bidiSafe(author === 'you' ? 'You' : author)}</bdi>
        </b>
        {kind === 'reminded' && <span>sent a reminder</span>}
        {(kind === 'assigned' || assignedTo) && (
          <span>
            {kind} this to <bdi>{bidiSafe(assignedTo ? nameOf(assignedTo) : 'nobody')}</bdi>
          </span>
        )}
        {kind === 'escalated' && !assignedTo && <span>escalated this</span>}
        {text && (
          <span className={styles.team}>
            <Icon of={Lock} /> Only your team sees this
          </span>
        )}
        <time dateTime={at} title={fullDate(at)}>
          {formatTime(at, now)}
        </time>
      </div>
      {text ? (
        <p dir="auto">{withMentions(hide(text), nameOf)}</p>
      ) : (
        kind === 'note' && <p>Message deleted</p>
      )}
    </li>
  )
}

/** With names instead of addresses. */
function withMentions(text: string, nameOf: (who: string) => string) {
  return splitAtMentions(text).map((part, n) =>
    n % 2 === 0 ? (
      bidiSafe(part)
    ) : (
      <bdi key={n} className={styles.mention} title={part}>
        @{bidiSafe(nameOf(part.slice(1).toLowerCase()))}
      </bdi>
    ),
  )
}
