import { Password } from '../contract/workspace.ts'
import { resetPassword } from '../server/domain/workspaces/operator.ts'
import { parseFlags, required } from './arguments.ts'
import { check } from './setup.ts'
import { print, withService } from './with-service.ts'

export async function passwordReset(argv: string[]): Promise<number> {
  const { flags } = parseFlags(argv, ['email', 'password'], ['json', 'disable-two-factor'])
  const email = required(flags, 'email').toLowerCase()
  const newPassword =
    flags.password === undefined ? undefined : check('password', Password.safeParse(flags.password))
  const disableTwoFactor = flags['disable-two-factor'] === true
  const { password, hadTwoFactor } = await withService((service) =>
    resetPassword(service, email, { newPassword, disableTwoFactor }),
  )
  print(
    flags,
    { email, ...(newPassword === undefined && { password }), ...(disableTwoFactor && { hadTwoFactor }) },
    [
      newPassword === undefined ? `New password of ${email}: ${password}` : `${email} has the new password.`,
      'All their sessions have ended.',
      ...(disableTwoFactor
        ? [hadTwoFactor ? 'Two-factor is off: they sign in with the password alone.' : 'Two-factor was off.']
        : []),
    ],
  )
  return 0
}
