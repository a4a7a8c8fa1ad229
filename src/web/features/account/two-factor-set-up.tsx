import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import type { TwoFactorEnrollment } from '../../../contract/account.ts'
import { maxAuthenticationCodeLength } from '../../lib/code-lengths.ts'
import { asProblem, fieldError } from '../../lib/problem.ts'
import { submitHandler } from '../../lib/submit-handler.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { accountApi } from './account-api.ts'
import { QrCode } from './qr-code.tsx'
import styles from './two-factor-set-up.module.css'
import { useFocusAfterDialog } from './use-focus-after-dialog.ts'

type Props = { enrollment: TwoFactorEnrollment; onConfirmed: () => Promise<void>; onCancel: () => void }

/** Shows the secret and asks for a first code. Only a correct code turns two-factor authentication on. */
export function TwoFactorSetUp({ enrollment, onConfirmed, onCancel }: Props) {
  const secret = new URL(enrollment.totpURI).searchParams.get('secret') ?? ''
  const confirm = useMutation({ mutationFn: accountApi.confirmTwoFactor, onSuccess: onConfirmed })
  const problem = confirm.error && asProblem(confirm.error)
  const form = useRef<HTMLFormElement>(null)
  useFocusAfterDialog(() => form.current?.querySelector('input'))
  return (
    <div className={styles.twoFactor}>
      <QrCode text={enrollment.totpURI} label="QR code for your authenticator app" />
      <div>
        <ol>
          <li>
            Scan the QR code with an authenticator app, or enter the secret:
            <span className={styles.secret}>
              <code>{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
              <CopyButton className="btn square" label="Copy secret" text={() => secret} />
            </span>
          </li>
          <li>Enter the code from the app.</li>
        </ol>
        <form
          ref={form}
          className="one-line"
          onSubmit={submitHandler(confirm, (fields) => confirm.mutate(String(fields.get('code'))))}
        >
          <TextField
            label="Code"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={maxAuthenticationCodeLength}
            error={fieldError(problem, 'code')}
            required
          />
          <button className="btn primary" type="submit" aria-disabled={confirm.isPending}>
            {confirm.isPending ? 'Turning on…' : 'Turn on'}
          </button>
          <button className="btn" type="button" onClick={onCancel}>
            Cancel
          </button>
          <FormProblem
            message="Two-factor authentication wasn't turned on."
            problem={problem}
            fields={['code']}
          />
        </form>
      </div>
    </div>
  )
}
