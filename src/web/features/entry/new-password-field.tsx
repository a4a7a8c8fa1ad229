import { limits } from '../../../contract/limits.ts'
import { TextField } from '../../ui/text-field.tsx'

type Props = { label: string; error: string | undefined; autoFocus?: boolean }

export function NewPasswordField(props: Props) {
  return (
    <TextField
      {...props}
      name="password"
      type="password"
      autoComplete="new-password"
      minLength={limits.passwordMin}
      maxLength={limits.passwordMax}
      help={`At least ${limits.passwordMin} characters.`}
      required
    />
  )
}
