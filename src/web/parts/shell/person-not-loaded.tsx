import { asProblem } from '../../lib/problem.ts'
import type { useMe } from '../../lib/workspace.ts'
import { PageNotLoaded } from '../../ui/page-not-loaded.tsx'

/**
 * Rendered until the signed-in person is loaded. Shows the problem if loading failed. If there is no
 * session, it shows nothing, because a redirect to the sign-in page is under way.
 */
export function PersonNotLoaded({ me }: { me: ReturnType<typeof useMe> }) {
  const problem = me.error && asProblem(me.error)
  if (!problem || problem.status === 401) return null
  return <PageNotLoaded title="Handrail couldn't load" problem={problem} onRetry={() => void me.refetch()} />
}
