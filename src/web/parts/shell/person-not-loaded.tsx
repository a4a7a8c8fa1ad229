import { asProblem } from '../../lib/problem.ts'
import type { useMe } from '../../lib/workspace.ts'
import { StandalonePage } from '../../ui/standalone-page.tsx'
import { ProblemStrip } from '../../ui/strip.tsx'

/**
 * Shown until the signed-in person is loaded: the problem, if there is one. Empty without a
 * session, because a redirect to sign-in is under way.
 */
export function PersonNotLoaded({ me }: { me: ReturnType<typeof useMe> }) {
  const problem = me.error && asProblem(me.error)
  if (!problem || problem.status === 401) return null
  return (
    <StandalonePage title="Handrail couldn't load">
      <div className="above-16">
        <ProblemStrip problem={problem} onRetry={() => void me.refetch()} />
      </div>
    </StandalonePage>
  )
}
