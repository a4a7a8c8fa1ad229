import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { maxAuthenticationCodeLength, maxRecoveryCodeLength } from '../../lib/code-lengths.ts'
import { StandalonePage } from '../../ui/standalone-page.tsx'
import { TextField } from '../../ui/text-field.tsx'
import authStyles from './auth.module.css'
import { AuthForm } from './auth-form.tsx'
import { useSignedOutForm } from './use-signed-out-form.ts'

type Props = { onSignedIn: () => Promise<void>; onBack: () => void }

/** The second step of signing in, for an account with two-factor authentication. */
export default function CodeStep({ onSignedIn, onBack }: Props) {
  const [isRecovery, setRecovery] = useState(false)
  return (
    <StandalonePage
      title={isRecovery ? 'Enter a recovery code' : 'Enter your code'}
      intro={
        isRecovery
          ? 'Use one of the recovery codes you saved. Each one works once.'
          : 'Your authenticator app shows a new code every 30 seconds.'
      }
    >
      {/* The key resets the form, its input and its error when the kind of code changes. */}
      <CodeForm key={String(isRecovery)} isRecovery={isRecovery} onSignedIn={onSignedIn} />
      <p className={authStyles.secondaryLinks}>
        <button type="button" className="text-button" onClick={() => setRecovery(!isRecovery)}>
          {isRecovery ? 'Use your authenticator app' : 'Use a recovery code'}
        </button>
        <button type="button" className="text-button" onClick={onBack}>
          Back to sign-in
        </button>
      </p>
    </StandalonePage>
  )
}

function CodeForm({ isRecovery, onSignedIn }: { isRecovery: boolean; onSignedIn: () => Promise<void> }) {
  const form = useSignedOutForm(async ({ code = '' }) => {
    await (isRecovery ? api.verifyRecoveryCode(code) : api.verifyCode(code))
    await onSignedIn()
  })
  return (
    <AuthForm
      form={form}
      failureMessage="Sign-in failed."
      submitLabel="Sign in"
      submittingLabel="Signing in…"
    >
      <TextField
        label={isRecovery ? 'Recovery code' : 'Code'}
        name="code"
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        inputMode={isRecovery ? 'text' : 'numeric'}
        maxLength={isRecovery ? maxRecoveryCodeLength : maxAuthenticationCodeLength}
        placeholder={isRecovery ? 'xxxxx-xxxxx' : undefined}
        error={form.errorAt('code')}
        required
        autoFocus
      />
    </AuthForm>
  )
}
