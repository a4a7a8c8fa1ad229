import type { HandrailProblem } from '../../client/problem.ts'
import { StandalonePage } from './standalone-page.tsx'
import { ProblemStrip } from './strip.tsx'

type Props = { title?: string; problem: HandrailProblem; onRetry: () => void }

/** Shown instead of a page whose data could not be loaded. */
export function PageNotLoaded({ title = "The page couldn't be loaded", problem, onRetry }: Props) {
  return (
    <StandalonePage title={title}>
      <div className="above-16">
        <ProblemStrip problem={problem} onRetry={onRetry} />
      </div>
    </StandalonePage>
  )
}
