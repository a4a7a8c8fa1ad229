import type { ReactNode } from 'react'
import { ProblemStrip } from '../../ui/strip.tsx'
import type { useAuthForm } from './use-auth-form.ts'

type Props = {
  form: ReturnType<typeof useAuthForm>
  /** Shown with an error: the state that did not change. */
  unchanged: string
  submit: string
  submitting: string
  children: ReactNode
}

export function AuthForm({ form, unchanged, submit, submitting, children }: Props) {
  return (
    <form onSubmit={form.submit}>
      {form.problem && <ProblemStrip message={unchanged} problem={form.problem} />}
      {children}
      <button className="btn primary" type="submit" aria-disabled={form.sending}>
        {form.sending ? submitting : submit}
      </button>
    </form>
  )
}
