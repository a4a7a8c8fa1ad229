import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatCount } from '../../lib/count.ts'
import { formatSeconds } from '../../lib/numbers.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { useInboxToday } from './use-inbox-today.ts'

export default function EmptyInbox() {
  return (
    <div className="empty grow">
      <svg
        width="120"
        height="56"
        viewBox="0 0 120 56"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        <path d="M4 52h28v-9h28v-9h28v-9h28" opacity=".45" />
        <path d="M10 31h8L104 4h8" stroke="var(--accent)" strokeWidth="2.5" />
        <path d="M20 31v21M48 22v21M76 13v21M104 4v21" />
      </svg>
      <h2>No open tasks</h2>
      <Today />
    </div>
  )
}

/** Today's answers, or the first steps if there are none. */
function Today() {
  const { workspaceId } = useWorkspace()
  const { today } = useInboxToday()
  if (!today || today.handled === 0) return <FirstSteps />
  const { handled, handledByMe, medianSeconds, hasMoreAnswers } = today
  const more = hasMoreAnswers ? '+' : ''
  return (
    <>
      <p>
        {formatCount(handled)}
        {more} answered today, {formatCount(handledByMe)}
        {more} by you.
        {medianSeconds !== null && ` Median time to answer: ${formatSeconds(medianSeconds)}.`}
      </p>
      {(handledByMe > 0 || hasMoreAnswers) && (
        <Link
          className="btn above-12"
          to="/w/$workspaceId/handled"
          params={{ workspaceId }}
          search={{ by: 'me', when: 'today' }}
        >
          My answers today
        </Link>
      )}
    </>
  )
}

/** Suggests connecting an agent if the workspace has never received a task. */
function FirstSteps() {
  const { api, workspaceId } = useWorkspace()
  const { data } = useQuery({
    queryKey: ['any-task', workspaceId],
    queryFn: async ({ signal }) => (await api.listTasks({ limit: 1 }, signal)).tasks.length > 0,
  })
  if (data !== false) return <p>New tasks appear here automatically.</p>
  const params = { workspaceId }
  return (
    <>
      <p>Tasks appear here when an agent needs a person to decide. Connect an agent to get started.</p>
      <p className="above-12 cluster">
        <Link
          className="btn primary"
          to="/w/$workspaceId/settings/$page"
          params={{ ...params, page: 'connect' }}
        >
          Connect an agent
        </Link>
        <Link className="btn" to="/w/$workspaceId/examples" params={params}>
          See examples
        </Link>
      </p>
    </>
  )
}
