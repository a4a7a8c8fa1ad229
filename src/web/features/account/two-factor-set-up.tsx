import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import type { TwoFactorEnrollment } from '../../../contract/account.ts'
import { asProblem } from '../../lib/problem.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ProblemStrip } from '../../ui/strip.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { account } from './account-api.ts'
import { QrCode } from './qr-code.tsx'
import styles from './two-factor-set-up.module.css'
import { useFocusAfterDialog } from './use-focus-after-dialog.ts'

type Props = { begun: TwoFactorEnrollment; onConfirmed: () => Promise<void>; onLeave: () => void }

/**
 * Shows the secret and asks for a first code. Two-factor is enabled only after that code is
 * verified.
 */
export function TwoFactorSetUp({ begun, onConfirmed, onLeave }: Props) {
  const secret = new URL(begun.totpURI).searchParams.get('secret') ?? ''
  const confirm = useMutation({ mutationFn: account.confirmTwoFactor, onSuccess: onConfirmed })
  const problem = confirm.error && asProblem(confirm.error)
  const form = useRef<HTMLFormElement>(null)
  useFocusAfterDialog(() => form.current?.querySelector('input'))
  return (
    <div className={styles.twoFactor}>
      <QrCode text={begun.totpURI} label="The code to scan with an authenticator app" />
      <div>
        <ol>
          <li>
            Scan this with an authenticator app. Or type the secret:
            <span className={styles.secret}>
              <code>{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
              <CopyButton className="btn square" label="Copy the secret" text={() => secret} />
            </span>
          </li>
          <li>Enter the code that the app shows.</li>
        </ol>
        <form
          ref={form}
          className="one-line"
          onSubmit={(event) => {
            event.preventDefault()
            if (!confirm.isPending) confirm.mutate(String(new FormData(event.currentTarget).get('code')))
          }}
        >
          <TextField
            label="Code"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={7}
            error={problem?.errors.find(({ path }) => path === 'code')?.message}
            required
          />
          <button className="btn primary" type="submit" aria-disabled={confirm.isPending}>
            {confirm.isPending ? 'Switching on' : 'Switch on'}
          </button>
          <button className="btn" type="button" onClick={onLeave}>
            Not now
          </button>
          {problem && problem.errors.length === 0 && <ProblemStrip what="Not on yet." problem={problem} />}
        </form>
      </div>
    </div>
  )
}
