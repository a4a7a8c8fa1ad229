import { useEffect, useRef } from 'react'
import type { HandrailProblem } from '../../client/problem.ts'
import { ProblemStrip, Strip } from './strip.tsx'

type FormProblemProps = {
  message: string
  problem: HandrailProblem | null
  /** Paths whose errors are shown at a field. The path of a list covers its items. */
  fields: readonly string[]
}

/**
 * The problem of a form, except for errors that its fields show. The first invalid field gets the
 * focus.
 */
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
