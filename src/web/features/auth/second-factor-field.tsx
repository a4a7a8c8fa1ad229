import { maxRecoveryCodeLength } from '../../lib/code-lengths.ts'
import { TextField } from '../../ui/text-field.tsx'

/** In a form that turned out to need a second factor too. */
export function SecondFactorField({ error }: { error: string | undefined }) {
  return (
    <TextField
      label="Authentication or recovery code"
      name="code"
      autoComplete="one-time-code"
      maxLength={maxRecoveryCodeLength}
      error={error}
      required
      autoFocus
    />
  )
}
