import { Lock } from 'lucide-react'
import { splitAtMentions } from '../../../../contract/mentions.ts'
import type { TaskNote } from '../../../../contract/note.ts'
import { displayName } from '../../../lib/display-name.ts'
import { useNameOf } from '../../../lib/use-members.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useHideNames } from '../comparisons/task-display.ts'
import styles from '../team/notes.module.css'
import { MessageHead } from './message-head.tsx'

/**
 * A note of a member, an assignment, or a step of the policy. They look unlike the messages that
 * the agent sees.
 */
export function NoteEntry({ note: { kind, text, by, at, assignedTo } }: { note: TaskNote }) {
  const hide = useHideNames()
  const { me } = useWorkspace()
  const names = useNameOf()
  const nameOf = (who: string) => displayName(who, names, me.person.email)
  const isStep = kind === 'reminded' || kind === 'escalated'
  const author = isStep ? 'Policy' : nameOf(by)
  return (
    <li className={styles.note}>
      <MessageHead
        mark={<Avatar name={isStep ? author : displayName(by, names)} />}
        author={author === 'you' ? 'You' : author}
        title={isStep ? undefined : by}
        at={at}
      >
        {kind === 'reminded' && <span>reminder</span>}
        {(kind === 'assigned' || assignedTo) && (
          <span>
            {assignedTo ? (
              <>
                {kind} this to <bdi>{bidiSafe(nameOf(assignedTo))}</bdi>
              </>
            ) : (
              'removed the assignment'
            )}
          </span>
        )}
        {kind === 'escalated' && !assignedTo && <span>escalated this</span>}
        {text && (
          <span className={styles.team}>
            <Icon of={Lock} /> Only members see this
          </span>
        )}
      </MessageHead>
      {text ? <p dir="auto">{withMentions(hide(text), nameOf)}</p> : kind === 'note' && <p>Note deleted</p>}
    </li>
  )
}

/** The text with names instead of addresses in its mentions. */
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
