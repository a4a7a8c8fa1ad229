import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { Confirmation } from '../../contract/confirmation.ts'
import { limits } from '../../contract/limits.ts'
import { asProblem, describeFailure, fieldError } from '../lib/problem.ts'
import { submitHandler } from '../lib/submit-handler.ts'
import { useWorkspace } from '../lib/workspace.ts'
import { Dialog } from './dialog.tsx'
import { FormDialogFooter } from './form-dialog-footer.tsx'
import { FormProblem } from './form-problem.tsx'
import { SecondFactorField } from './second-factor-field.tsx'
import { TextField } from './text-field.tsx'

type Props = {
  title: string
  description: string
  confirmLabel: string
  /** Says what did not happen, shown if that is certain. Default: "Nothing was changed." */
  failureMessage?: string
  withPassword?: boolean
  onSubmit: (confirmation: Confirmation) => Promise<unknown>
  onClose: () => void
}

/**
 * Confirms an identity before a sensitive change. If two-factor authentication is on, it asks for a
 * code. If it is off, it asks for the password, unless the person used single sign-on: then the service
 * only requires that they signed in recently. `withPassword` asks for the password in any case.
 */
export function ConfirmIdentityDialog(props: Props) {
  const { title, description, confirmLabel, failureMessage, withPassword = false, onSubmit, onClose } = props
  const { hasTwoFactor, signedInWith } = useWorkspace().me.person
  // The fields that the service reported as missing, because the person may have turned two-factor
  // authentication on or off in another tab.
  const [missing, setMissing] = useState<string[]>([])
  const asksPassword =
    withPassword || missing.includes('password') || (!hasTwoFactor && signedInWith === 'password')
  const asksCode = hasTwoFactor || missing.includes('code')
  const formId = useId()
  const submission = useMutation({
    mutationFn: onSubmit,
    // Added to the fields of earlier errors, so that a field stays if a later error does not name it.
    onError: (thrown) =>
      setMissing((before) => [...before, ...asProblem(thrown).errors.map(({ path }) => path)]),
  })
  const problem = submission.error && asProblem(submission.error)
  return (
    <Dialog
      title={title}
      description={description}
      onClose={onClose}
      footer={
        <FormDialogFooter
          formId={formId}
          submitLabel={confirmLabel}
          isPending={submission.isPending}
          onClose={onClose}
        />
      }
    >
      <form
        id={formId}
        className="stack"
        onSubmit={submitHandler(submission, (fields) =>
          submission.mutate(
            {
              ...(asksPassword && { password: String(fields.get('password')) }),
              ...(asksCode && { code: String(fields.get('code')) }),
            },
            // `onSuccess` is not called once this dialog is closed, because another one may be open.
            { onSuccess: onClose },
          ),
        )}
      >
        {problem && (
          <FormProblem
            message={describeFailure(problem, failureMessage)}
            problem={problem}
            fields={['password', 'code']}
          />
        )}
        {asksPassword && (
          <TextField
            label="Your password"
            name="password"
            type="password"
            autoComplete="current-password"
            maxLength={limits.passwordMax}
            error={fieldError(problem, 'password')}
            required
          />
        )}
        {asksCode && <SecondFactorField error={fieldError(problem, 'code')} />}
      </form>
    </Dialog>
  )
}
