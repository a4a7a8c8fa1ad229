import { useInfiniteQuery } from '@tanstack/react-query'
import type { TimelineEntry } from '../../../contract/inbox.ts'
import type { TaskRecord } from '../../../contract/task.ts'
import { displayName } from '../../lib/display-name.ts'
import { asProblem } from '../../lib/problem.ts'
import { formatTime, fullDate } from '../../lib/time.ts'
import { type NameOf, useNameOf } from '../../lib/use-members.ts'
import { useNow } from '../../lib/use-now.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { ProblemStrip } from '../../ui/strip.tsx'
import type { Hide } from './name-hider.ts'
import { usePresentedTask } from './presented-task.ts'
import taskStyles from './task.module.css'
import styles from './timeline.module.css'

export function Timeline({ task }: { task: TaskRecord }) {
  const { api, workspaceId } = useWorkspace()
  const now = useNow()
  const nameOf = useNameOf()
  const hide = usePresentedTask()?.hide ?? ((text: string) => text)
  const query = useInfiniteQuery({
    queryKey: ['timeline', workspaceId, task.threadId],
    queryFn: ({ pageParam, signal }) => api.timeline(task.threadId, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
  const entries = query.data?.pages.flatMap((page) => page.entries)

  if (query.error) {
    return (
      <ProblemStrip
        message="The timeline couldn't be loaded."
        problem={asProblem(query.error)}
        onRetry={() => void query.refetch()}
      />
    )
  }
  return (
    <>
      <ol className={styles.timeline} aria-label="Timeline" aria-busy={query.isFetching}>
        {entries?.map((entry, n) => (
          <li key={n}>
            <i
              className={`${taskStyles.level} ${styles.level} ${taskStyles[markOf(entry)]}`}
              aria-hidden="true"
            />
            <span>
              {sentence(entry, task.app, hide, nameOf)}
              {entry.taskId !== task.taskId && (
                <span className={styles.of}>
                  {' '}
                  in{' '}
                  {entry.taskName ? (
                    <bdi>{bidiSafe(hide(entry.taskName))}</bdi>
                  ) : (
                    'a task with deleted content'
                  )}
                </span>
              )}
            </span>
            <time dateTime={entry.at} title={fullDate(entry.at)}>
              {formatTime(entry.at, now)}
            </time>
          </li>
        ))}
      </ol>
      {query.hasNextPage && (
        <button type="button" className="text-button unfold" onClick={() => void query.fetchNextPage()}>
          Show more
        </button>
      )}
    </>
  )
}

function markOf(entry: TimelineEntry): string {
  if (entry.kind === 'update') return entry.level ?? 'info'
  if (entry.kind === 'handled') return 'person'
  return entry.kind === 'created' ? 'info' : 'ended'
}

function sentence(entry: TimelineEntry, app: string, hide: Hide, nameOf: NameOf) {
  switch (entry.kind) {
    case 'created':
      return (
        <>
          <bdi>{bidiSafe(entry.by ?? app)}</bdi> created this task
        </>
      )
    case 'update':
      return (
        <>
          {entry.level === 'error' && <span className="sr-only">Error: </span>}
          {entry.level === 'warning' && <span className="sr-only">Warning: </span>}
          {entry.message ? bidiSafe(hide(entry.message)) : 'Message deleted'}
          {entry.progress !== undefined && ` (${Math.round(entry.progress)} %)`}
        </>
      )
    case 'handled':
      return (
        <>
          <bdi title={entry.by}>{bidiSafe(displayName(entry.by ?? 'Someone', nameOf))}</bdi> answered “
          <bdi>{bidiSafe(hide(entry.actionTitle ?? ''))}</bdi>”
        </>
      )
    case 'cancelled':
      return <>The agent cancelled the task{entry.message && <>: {bidiSafe(hide(entry.message))}</>}</>
    case 'expired':
      return 'The deadline passed'
  }
}
