import { useInfiniteQuery } from '@tanstack/react-query'
import type { TimelineEntry } from '../../../../contract/inbox.ts'
import type { TaskRecord } from '../../../../contract/task.ts'
import type { UpdateLevel } from '../../../../contract/task-update.ts'
import { classes } from '../../../lib/classes.ts'
import { displayName } from '../../../lib/display-name.ts'
import { asProblem } from '../../../lib/problem.ts'
import { formatFullDate, formatTime } from '../../../lib/time.ts'
import { type NameOf, useNameOf } from '../../../lib/use-members.ts'
import { useNow } from '../../../lib/use-now.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import { ProblemStrip } from '../../../ui/strip.tsx'
import type { Hide } from '../comparisons/name-hider.ts'
import { useHideNames } from '../comparisons/task-display.ts'
import taskStyles from '../task.module.css'
import { RuleLink } from './rule-link.tsx'
import styles from './timeline.module.css'

export function Timeline({ task }: { task: TaskRecord }) {
  const { api, workspaceId } = useWorkspace()
  const now = useNow()
  const nameOf = useNameOf()
  const hide = useHideNames()
  const query = useInfiniteQuery({
    queryKey: ['timeline', workspaceId, task.threadId],
    queryFn: ({ pageParam, signal }) => api.timeline(task.threadId, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
  const entries = query.data?.pages.flatMap((page) => page.entries)

  const problem = query.error && (
    <ProblemStrip
      message="The timeline couldn't be loaded."
      problem={asProblem(query.error)}
      onRetry={() => void (query.isFetchNextPageError ? query.fetchNextPage() : query.refetch())}
    />
  )
  if (!entries && problem) return problem
  return (
    <>
      <ol className={styles.timeline} aria-label="Timeline" aria-busy={query.isFetching}>
        {entries?.map((entry, n) => (
          <li key={n}>
            <i
              className={classes(taskStyles.level, styles.level, taskStyles[markClass(entry)])}
              aria-hidden="true"
            />
            <span>
              <EntryText entry={entry} task={task} hide={hide} nameOf={nameOf} />
            </span>
            <time dateTime={entry.at} title={formatFullDate(entry.at)}>
              {formatTime(entry.at, now)}
            </time>
          </li>
        ))}
      </ol>
      {problem}
      {query.hasNextPage && !problem && (
        <button
          type="button"
          className="text-button unfold"
          onClick={() => void (query.isFetching || query.fetchNextPage())}
        >
          Show more
        </button>
      )}
    </>
  )
}

function markClass({ kind, level, decidedBy }: TimelineEntry): 'person' | 'ended' | UpdateLevel {
  if (kind === 'update') return level ?? 'info'
  if (kind === 'handled') return decidedBy === 'timeout' || decidedBy === 'rule' ? 'ended' : 'person'
  if (kind === 'question' || kind === 'note' || kind === 'assigned') return 'person'
  return kind === 'cancelled' || kind === 'expired' ? 'ended' : 'info'
}

type EntryTextProps = { entry: TimelineEntry; task: TaskRecord; hide: Hide; nameOf: NameOf }

/** What happened. The timeline is of the thread, so entries of other tasks name their task. */
function EntryText({ entry, task, hide, nameOf }: EntryTextProps) {
  const isThisTask = entry.taskId === task.taskId
  const otherTask = (
    <span className={styles.taskName}>
      {entry.taskName ? <bdi>{bidiSafe(hide(entry.taskName))}</bdi> : 'a task with deleted content'}
    </span>
  )
  const inOtherTask = !isThisTask && (
    <>
      <span className={styles.taskName}> in </span>
      {otherTask}
    </>
  )
  const person = <bdi title={entry.by}>{bidiSafe(displayName(entry.by ?? 'Someone', nameOf))}</bdi>
  const answer = <bdi>{bidiSafe(hide(entry.actionTitle ?? ''))}</bdi>
  // The entries don't say how many people answered another task.
  const answerCount = (isThisTask && task.handled?.answers?.length) || 1
  switch (entry.kind) {
    case 'created':
      return (
        <>
          <bdi>{bidiSafe(entry.app ?? task.app)}</bdi> created {isThisTask ? 'this task' : otherTask}
        </>
      )
    case 'update':
      return (
        <>
          {entry.level === 'error' && <span className="sr-only">Error: </span>}
          {entry.level === 'warning' && <span className="sr-only">Warning: </span>}
          {entry.message ? bidiSafe(hide(entry.message)) : 'Message deleted'}
          {entry.progress !== undefined && ` (${Math.round(entry.progress)} %)`}
          {inOtherTask}
        </>
      )
    case 'question':
      return (
        <>
          {person} {entry.questionKind === 'changes' ? 'requested changes' : 'asked the agent'}
          {inOtherTask}
          {entry.message ? <>: “{bidiSafe(hide(entry.message))}”</> : ' (message deleted)'}
        </>
      )
    case 'note':
      return (
        <>
          {person} wrote a note
          {inOtherTask}
          {entry.message ? <>: “{bidiSafe(hide(entry.message))}”</> : ' (message deleted)'}
        </>
      )
    case 'assigned':
      return (
        <>
          {person} {entry.assignedTo ? 'assigned' : 'removed the assignment of'}{' '}
          {isThisTask ? 'this task' : otherTask}
          {entry.assignedTo && (
            <>
              {' to '}
              <bdi>{bidiSafe(displayName(entry.assignedTo, nameOf))}</bdi>
            </>
          )}
          {entry.message && <>: “{bidiSafe(hide(entry.message))}”</>}
        </>
      )
    case 'reminded':
      return <>Reminder{inOtherTask}</>
    case 'escalated':
      return (
        <>
          Escalated
          {entry.assignedTo && (
            <>
              {' to '}
              <bdi title={entry.assignedTo}>{bidiSafe(displayName(entry.assignedTo, nameOf))}</bdi>
            </>
          )}
          {inOtherTask}
          {entry.message && <>. {entry.message}</>}
        </>
      )
    case 'handled':
      return (
        <>
          {entry.decidedBy === 'timeout' ? (
            <>Answered “{answer}” automatically, at the deadline</>
          ) : entry.decidedBy === 'rule' ? (
            <>
              {entry.ruleId === undefined ? 'Rule' : <RuleLink ruleId={entry.ruleId} />} answered “{answer}”
            </>
          ) : answerCount > 1 ? (
            <>
              {answerCount} people answered. Result: “{answer}”
            </>
          ) : (
            <>
              {person} answered “{answer}”
            </>
          )}
          {inOtherTask}
        </>
      )
    case 'cancelled':
      return (
        <>
          Cancelled{inOtherTask}
          {entry.message && <>: {bidiSafe(hide(entry.message))}</>}
        </>
      )
    case 'expired':
      return <>The deadline passed{inOtherTask}</>
  }
}
