import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { EntryFrame } from '../../ui/entry-frame.tsx'
import { ProblemStrip } from '../../ui/strip.tsx'
import { TextField } from '../../ui/text-field.tsx'
import entryStyles from './entry.module.css'
import { useEntry } from './use-entry.ts'

type Props = { onSignedIn: () => Promise<void>; onBack: () => void }

/** The second step of signing in. Loaded lazily. */
export default function CodeStep({ onSignedIn, onBack }: Props) {
  const [hasLostApp, setLostApp] = useState(false)
  return (
    <EntryFrame
      title={hasLostApp ? 'Enter a recovery code' : 'Enter your code'}
      lede={
        hasLostApp
          ? 'Use one of the ten codes you saved when you set up two-factor authentication. Each one works once.'
          : 'Your authenticator app shows a new code every 30 seconds.'
      }
    >
      {/* The key resets the form, its input and its error when the kind of code changes. */}
      <CodeForm key={String(hasLostApp)} isRecovery={hasLostApp} onSignedIn={onSignedIn} />
      <p className={entryStyles.otherWay}>
        <button type="button" className="text-button" onClick={() => setLostApp(!hasLostApp)}>
          {hasLostApp ? 'Use your authenticator app' : 'Use a recovery code'}
        </button>
        <button type="button" className="text-button" onClick={onBack}>
          Back to sign-in
        </button>
      </p>
    </EntryFrame>
  )
}

function CodeForm({ isRecovery, onSignedIn }: { isRecovery: boolean; onSignedIn: () => Promise<void> }) {
  const entry = useEntry(async ({ code = '' }) => {
    await (isRecovery ? api.verifyRecoveryCode(code) : api.verifyCode(code))
    await onSignedIn()
  })
  return (
    <form onSubmit={entry.submit}>
      {entry.problem && entry.problem.errors.length === 0 && (
        <ProblemStrip what="Sign-in failed." problem={entry.problem} />
      )}
      <TextField
        label={isRecovery ? 'Recovery code' : 'Code'}
        name="code"
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        inputMode={isRecovery ? 'text' : 'numeric'}
        maxLength={isRecovery ? 40 : 7}
        placeholder={isRecovery ? 'xxxxx-xxxxx' : undefined}
        error={entry.errorAt('code')}
        required
        autoFocus
      />
      <button className="btn primary" type="submit" aria-disabled={entry.sending}>
        {entry.sending ? 'Signing in…' : 'Sign in'}
      </button>
    </form>
  )
}
