import { limits } from '../../contract/limits.ts'
import { TextField } from './text-field.tsx'

type Props = { label: string; name?: string; error: string | undefined; autoFocus?: boolean }

export function NewPasswordField({ name = 'password', ...props }: Props) {
  return (
    <TextField
      {...props}
      name={name}
      type="password"
      autoComplete="new-password"
      minLength={limits.passwordMin}
      maxLength={limits.passwordMax}
      help={`At least ${limits.passwordMin} characters.`}
      required
    />
  )
}
