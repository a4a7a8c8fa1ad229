import type { ReactNode } from 'react'
import { FormProblem } from '../../ui/form-problem.tsx'
import type { useSignedOutForm } from './use-signed-out-form.ts'

type Props = {
  form: ReturnType<typeof useSignedOutForm>
  /** What did not happen, shown before the problem's detail. */
  failureMessage: string
  submitLabel: string
  submittingLabel: string
  children?: ReactNode
}

export function AuthForm({ form, failureMessage, submitLabel, submittingLabel, children }: Props) {
  return (
    <form onSubmit={form.submit}>
      <FormProblem message={failureMessage} problem={form.problem} fields={form.fieldNames} />
      {children}
      <button className="btn primary" type="submit" aria-disabled={form.isSending}>
        {form.isSending ? submittingLabel : submitLabel}
      </button>
    </form>
  )
}
