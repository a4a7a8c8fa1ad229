import { Navigate } from '@tanstack/react-router'
import { useMe } from '../../lib/person.ts'
import { preference } from '../../lib/preferences.ts'
import { asProblem } from '../../lib/problem.ts'
import { ProblemStrip } from '../../ui/strip.tsx'
import { EntryFrame } from '../entry/entry-frame.tsx'

/** `/`: on to the inbox of the workspace used last. */
export function Home() {
  const me = useMe()
  if (me.data) {
    const { workspaces } = me.data
    const last =
      workspaces.find(({ workspaceId }) => workspaceId === preference('workspace')) ?? workspaces[0]
    if (last) {
      return <Navigate to="/w/$workspaceId/inbox" params={{ workspaceId: last.workspaceId }} replace />
    }
    return (
      <EntryFrame
        title="No workspace yet"
        lede="You belong to no workspace. Ask an admin for an invitation."
      />
    )
  }
  const problem = me.error && asProblem(me.error)
  if (!problem || problem.status === 401) return null
  return (
    <EntryFrame title="Handrail did not load">
      <div className="mt-4">
        <ProblemStrip what="" problem={problem} onRetry={() => void me.refetch()} />
      </div>
    </EntryFrame>
  )
}
