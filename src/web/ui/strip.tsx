import { CircleCheck, Info, type LucideIcon, TriangleAlert } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import type { HandrailProblem } from '../../client/problem.ts'
import { announce } from '../lib/announce.ts'
import { Icon } from './icon.tsx'

const icons = { warn: TriangleAlert, neg: TriangleAlert, info: Info, success: CircleCheck }

type StripProps = {
  tone: keyof typeof icons
  icon?: LucideIcon
  /**
   * For a strip that appears after the page: screen readers read it out. A strip of tone `neg` is an
   * alert, which they read out anyway.
   */
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

export function ProblemStrip({
  message,
  problem,
  onRetry,
}: {
  /** What did not happen, shown before the problem's detail. Omitted where the title says it. */
  message?: string
  /** Omitted if there is nothing to add to the message. */
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
