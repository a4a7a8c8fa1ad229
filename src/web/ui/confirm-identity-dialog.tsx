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
  /** Asks for the password in any case. */
  withPassword?: boolean
  onSubmit: (confirmation: Confirmation) => Promise<unknown>
  onClose: () => void
}

/**
 * Confirms an identity before a sensitive change: asks for a code if two-factor authentication is
 * on, otherwise for the password. If it is off and the person used single sign-on, they are asked
 * for neither, because the service requires that they signed in recently.
 */
export function ConfirmIdentityDialog(props: Props) {
  const { title, description, confirmLabel, failureMessage, withPassword = false, onSubmit, onClose } = props
  const { hasTwoFactor, signedInWith } = useWorkspace().me.person
  // The fields that the service said are missing: the person may have turned two-factor on or off
  // in another tab.
  const [missing, setMissing] = useState<string[]>([])
  const asksPassword =
    withPassword || missing.includes('password') || (!hasTwoFactor && signedInWith === 'password')
  const asksCode = hasTwoFactor || missing.includes('code')
  const formId = useId()
  const submission = useMutation({
    mutationFn: onSubmit,
    // Added to the earlier ones, so that a field that was filled in stays after an error of another
    // kind.
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
            // Not called after this dialog was closed: another one may be open by then.
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
