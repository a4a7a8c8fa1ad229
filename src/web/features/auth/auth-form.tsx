import type { ReactNode } from 'react'
import { ProblemStrip } from '../../ui/strip.tsx'
import type { useAuthForm } from './use-auth-form.ts'

type Props = {
  form: ReturnType<typeof useAuthForm>
  /** What did not happen, shown before the problem's detail. */
  failureMessage: string
  submitLabel: string
  submittingLabel: string
  children: ReactNode
}

export function AuthForm({ form, failureMessage, submitLabel, submittingLabel, children }: Props) {
  return (
    <form onSubmit={form.submit}>
      {form.formProblem && <ProblemStrip message={failureMessage} problem={form.formProblem} />}
      {children}
      <button className="btn primary" type="submit" aria-disabled={form.isSending}>
        {form.isSending ? submittingLabel : submitLabel}
      </button>
    </form>
  )
}
