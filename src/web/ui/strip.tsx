import { CircleCheck, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { HandrailProblem } from '../../client/problem.ts'
import { Icon } from './icon.tsx'

const icons = { warn: TriangleAlert, neg: TriangleAlert, info: CircleCheck }

/** A one-sentence message across a pane with at most one action. */
export function Strip({
  tone,
  icon = icons[tone],
  children,
  action,
}: {
  tone: 'warn' | 'neg' | 'info'
  icon?: LucideIcon
  children: ReactNode
  action?: ReactNode
}) {
  return (
    <div className={`strip ${tone}`} role={tone === 'neg' ? 'alert' : 'status'}>
      <Icon of={icon} />
      <span>{children}</span>
      {action}
    </div>
  )
}

type FormProblemProps = {
  message: string
  problem: HandrailProblem | null
  /** Paths whose errors a field shows; the path of a list includes its items. */
  fields: readonly string[]
}

/** The problem of a form, except for errors that its fields show. */
export function FormProblem({ message, problem, fields }: FormProblemProps) {
  if (!problem) return null
  if (problem.errors.length === 0) return <ProblemStrip message={message} problem={problem} />
  const others = problem.errors.filter(({ path }) => !fields.includes(path.replace(/\[\d+\]$/, '')))
  if (others.length === 0) return null
  return (
    <Strip tone="neg">
      {message} {others.map((error) => error.message).join(' ')}
    </Strip>
  )
}

export function ProblemStrip({
  message,
  problem,
  onRetry,
}: {
  /** What did not happen, shown before the problem's detail. Omitted where the title says it. */
  message?: string
  /** Omitted if there is nothing to add. */
  problem?: HandrailProblem
  onRetry?: () => void
}) {
  return (
    <Strip
      tone="neg"
      action={
        onRetry && (
          <button type="button" className="btn small" onClick={onRetry}>
            Try again
          </button>
        )
      }
    >
      {message} {problem?.detail}
      {problem?.requestId && (
        <>
          {' '}
          Request ID: <span className="mono">{problem.requestId}</span>
        </>
      )}
    </Strip>
  )
}
