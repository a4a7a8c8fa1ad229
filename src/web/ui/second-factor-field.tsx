import { maxRecoveryCodeLength } from '../lib/code-lengths.ts'
import { TextField } from './text-field.tsx'

/** A field for a code from the authenticator app, or a recovery code. */
export function SecondFactorField({ error, autoFocus }: { error: string | undefined; autoFocus?: boolean }) {
  return (
    <TextField
      label="Two-factor code"
      name="code"
      autoComplete="one-time-code"
      maxLength={maxRecoveryCodeLength}
      help="From your authenticator app, or a recovery code."
      error={error}
      required
      autoFocus={autoFocus}
    />
  )
}
