import type { ReactNode } from 'react'
import { ProblemStrip } from '../../ui/strip.tsx'
import type { useEntry } from './use-entry.ts'

type Props = {
  entry: ReturnType<typeof useEntry>
  /** Shown with an error: the state that did not change. */
  unchanged: string
  submit: string
  submitting: string
  children: ReactNode
}

export function EntryForm({ entry, unchanged, submit, submitting, children }: Props) {
  return (
    <form onSubmit={entry.submit}>
      {entry.problem && <ProblemStrip what={unchanged} problem={entry.problem} />}
      {children}
      <button className="btn primary" type="submit" aria-disabled={entry.sending}>
        {entry.sending ? submitting : submit}
      </button>
    </form>
  )
}
