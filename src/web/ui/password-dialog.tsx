import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { limits } from '../../contract/limits.ts'
import { asProblem, fieldError } from '../lib/problem.ts'
import { submitHandler } from '../lib/submit-handler.ts'
import { Dialog } from './dialog.tsx'
import { FormProblem } from './strip.tsx'
import { TextField } from './text-field.tsx'

type Props = {
  title: string
  description: string
  confirmLabel: string
  /** What did not happen, shown before the problem's detail. */
  failureMessage: string
  onSubmit: (password: string) => Promise<unknown>
  onClose: () => void
}

/** Asks for the password again before a sensitive change. */
export function PasswordDialog(props: Props) {
  const { title, description, confirmLabel, failureMessage, onSubmit, onClose } = props
  const formId = useId()
  const submission = useMutation({ mutationFn: onSubmit, onSuccess: onClose })
  const problem = submission.error && asProblem(submission.error)
  return (
    <Dialog
      title={title}
      description={description}
      onClose={onClose}
      footer={
        <>
          <button type="button" className="btn" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" form={formId} className="btn primary" aria-disabled={submission.isPending}>
            {confirmLabel}
          </button>
        </>
      }
    >
      <form
        id={formId}
        onSubmit={submitHandler(submission, (fields) => submission.mutate(String(fields.get('password'))))}
      >
        <FormProblem message={failureMessage} problem={problem} />
        <TextField
          label="Your password"
          name="password"
          type="password"
          autoComplete="current-password"
          maxLength={limits.passwordMax}
          error={fieldError(problem, 'password')}
          required
        />
      </form>
    </Dialog>
  )
}
