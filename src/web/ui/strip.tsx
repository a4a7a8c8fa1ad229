import { CircleCheck, Info, type LucideIcon, TriangleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import type { HandrailProblem } from '../../client/problem.ts'
import { announce } from '../lib/announce.ts'
import { Icon } from './icon.tsx'

const icons = { warn: TriangleAlert, neg: TriangleAlert, info: Info, success: CircleCheck }

type StripProps = {
  tone: keyof typeof icons
  icon?: LucideIcon
  /** For a strip that appears while the page is shown. Screen readers announce the tone `neg` in any case. */
  isAnnounced?: boolean
  children: ReactNode
  action?: ReactNode
}

/** A short message across a pane with at most one action. */
export function Strip({
  tone,
  icon = icons[tone],
  isAnnounced = tone === 'success',
  children,
  action,
}: StripProps) {
  const text = useRef<HTMLSpanElement>(null)
  // Not role="status": a region that is inserted together with its text is not announced.
  useEffect(() => {
    if (isAnnounced) announce(text.current?.textContent ?? '')
  }, [isAnnounced])
  return (
    <div className={`strip ${tone}`} role={tone === 'neg' ? 'alert' : undefined}>
      <Icon of={icon} />
      <span ref={text}>{children}</span>
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

/** The problem of a form, except for errors that its fields show. The first of these fields gets the focus. */
export function FormProblem({ message, problem, fields }: FormProblemProps) {
  const marker = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const form = problem && marker.current?.closest('form')
    form?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [problem])
  if (!problem) return null
  if (problem.errors.length === 0) return <ProblemStrip message={message} problem={problem} />
  const others = problem.errors.filter(({ path }) => !fields.includes(path.replace(/\[\d+\]$/, '')))
  return (
    <>
      <span ref={marker} hidden />
      {others.length > 0 && (
        <Strip tone="neg">
          {message} {others.map((error) => error.message).join(' ')}
        </Strip>
      )}
    </>
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
