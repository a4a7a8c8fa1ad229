import { Bot, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Question } from '../../../../contract/question.ts'
import type { MemberTaskRecord } from '../../../../contract/task.ts'
import type { TaskUpdate } from '../../../../contract/task-update.ts'
import { classes } from '../../../lib/classes.ts'
import { pluralize } from '../../../lib/count.ts'
import { displayName } from '../../../lib/display-name.ts'
import { formatFullDate, formatTime } from '../../../lib/time.ts'
import { useNameOf } from '../../../lib/use-members.ts'
import { useNow } from '../../../lib/use-now.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { useHideNames } from '../comparisons/task-display.ts'
import { RevisionFrame } from '../revisions/revision-frame.tsx'
import taskStyles from '../task.module.css'
import styles from './conversation.module.css'
import { conversationEntries, isReplyOrRevision } from './conversation-entries.ts'
import { MessageHead } from './message-head.tsx'
import { NoteEntry } from './note-entry.tsx'

/** Questions, replies, revisions, notes and updates of the task, oldest first. */
export function Conversation({ task }: { task: MemberTaskRecord }) {
  const { questions = [], updates = [] } = task
  const notes = task.notes?.filter(({ kind }) => kind === 'note') ?? []
  const replies = updates.filter(({ answers }) => answers !== undefined).length
  const revisions = updates.filter(isReplyOrRevision).length - replies
  const unanswered = questions.filter(({ answer }) => !answer)
  return (
    <section className={`${styles.conversation} ${taskStyles.sectionDot}`} id="conversation" tabIndex={-1}>
      <h2>
        Conversation{' '}
        <span className={styles.count}>
          {[
            questions.length > 0 && pluralize(questions.length, 'question'),
            replies > 0 && pluralize(replies, 'reply', 'replies'),
            revisions > 0 && pluralize(revisions, 'revision'),
            notes.length > 0 && pluralize(notes.length, 'note'),
          ]
            .filter(Boolean)
            .join(', ')}
        </span>
      </h2>
      <ol aria-label="Conversation">
        {conversationEntries(task).map((entry) =>
          entry.kind === 'question' ? (
            <QuestionEntry key={entry.question.questionId} question={entry.question} />
          ) : entry.kind === 'reply-or-revision' ? (
            <ReplyOrRevisionEntry key={entry.update.updateId} task={task} update={entry.update} />
          ) : entry.kind === 'note' ? (
            <NoteEntry key={entry.note.noteId} note={entry.note} />
          ) : (
            <FoldedUpdates key={entry.updates[0]?.updateId} updates={entry.updates} />
          ),
        )}
      </ol>
      {task.status === 'open' && unanswered.length > 0 && <Waiting task={task} />}
    </section>
  )
}

function QuestionEntry({ question }: { question: Question }) {
  const { me } = useWorkspace()
  const nameOf = useNameOf()
  const isMine = question.askedBy === me.person.email
  const name = displayName(question.askedBy, nameOf)
  return (
    <Message
      className={styles.person}
      mark={<Avatar name={name} />}
      author={isMine ? 'You' : name}
      title={question.askedBy}
      did={question.kind === 'changes' ? 'requested changes' : 'asked the agent'}
      at={question.askedAt}
      text={question.text}
    />
  )
}

function ReplyOrRevisionEntry({ task, update }: { task: MemberTaskRecord; update: TaskUpdate }) {
  const { me } = useWorkspace()
  const nameOf = useNameOf()
  const question = task.questions?.find(({ questionId }) => questionId === update.answers)
  const asker = question && displayName(question.askedBy, nameOf, me.person.email)
  return (
    <Message
      className={styles.agent}
      isFromAgent
      mark={
        <span className={styles.bot}>
          <Icon of={Bot} />
        </span>
      }
      author={task.app}
      did={asker ? `replied to ${asker}` : 'revised the task'}
      at={update.at}
      text={update.message}
    >
      {update.revision !== undefined && <RevisionFrame task={task} revision={update.revision} />}
    </Message>
  )
}

type MessageProps = {
  className: string | undefined
  /** The shortcut T scrolls to the last message from the agent. */
  isFromAgent?: boolean
  mark: ReactNode
  author: string
  title?: string
  /** What the author did, such as "asked the agent". */
  did: string
  at: string
  text: string
  children?: ReactNode
}

function Message({
  className,
  isFromAgent = false,
  mark,
  author,
  title,
  did,
  at,
  text,
  children,
}: MessageProps) {
  const hide = useHideNames()
  return (
    <li
      className={classes(styles.message, taskStyles.sectionDot, className)}
      data-from-agent={isFromAgent || undefined}
    >
      <MessageHead mark={mark} author={author} title={title} at={at}>
        <span>{did}</span>
      </MessageHead>
      <p dir="auto">{text ? bidiSafe(hide(text)) : 'Message deleted'}</p>
      {children}
    </li>
  )
}

/** "3 updates: …": one line that unfolds to all of them. */
function FoldedUpdates({ updates }: { updates: TaskUpdate[] }) {
  const now = useNow()
  const hide = useHideNames()
  const textOf = ({ message, progress }: TaskUpdate) =>
    `${message ? hide(message) : 'Message deleted'}${progress === undefined ? '' : ` (${Math.round(progress)} %)`}`
  const latest = updates.at(-1)
  return (
    <li>
      <details className={styles.updates}>
        <summary>
          <Icon of={ChevronRight} />
          <span>
            {pluralize(updates.length, 'update')}: {latest && bidiSafe(textOf(latest))}
          </span>
          {latest && <time dateTime={latest.at}>{formatTime(latest.at, now)}</time>}
        </summary>
        <ol>
          {updates.map((update) => (
            <li key={update.updateId}>
              <i className={classes(taskStyles.level, taskStyles[update.level])} aria-hidden="true" />
              <span>{bidiSafe(textOf(update))}</span>
              <time dateTime={update.at} title={formatFullDate(update.at)}>
                {formatTime(update.at, now)}
              </time>
            </li>
          ))}
        </ol>
      </details>
    </li>
  )
}

/** What happens next, while a question has no reply. */
function Waiting({ task: { waitingFor, waitingUntil } }: { task: MemberTaskRecord }) {
  const now = useNow()
  return (
    <p className={styles.waiting} role="status">
      {waitingFor === 'agent' ? (
        <>
          Waiting for the agent
          {waitingUntil && (
            <>
              {' '}
              until{' '}
              <time dateTime={waitingUntil} title={formatFullDate(waitingUntil)}>
                {formatTime(waitingUntil, now)}
              </time>
            </>
          )}
          . The task can still be answered.
        </>
      ) : (
        'A question got no reply in time. The task is back in its place in the inbox, and the agent can still reply.'
      )}
    </p>
  )
}
