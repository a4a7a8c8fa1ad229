import { Password } from '../contract/workspace.ts'
import { resetPasswordAsOperator } from '../server/domain/workspaces/operator.ts'
import { flagValue, parseFlags, requireFlag } from './arguments.ts'
import { print, withService } from './with-service.ts'

export async function passwordReset(argv: string[]): Promise<number> {
  const { flags } = parseFlags(argv, ['email', 'password'], ['json', 'disable-two-factor'])
  const email = requireFlag(flags, 'email').toLowerCase()
  const newPassword =
    flags.password === undefined ? undefined : flagValue('password', Password, flags.password)
  const disableTwoFactor = flags['disable-two-factor'] === true
  const { password, hadTwoFactor } = await withService((service) =>
    resetPasswordAsOperator(service, email, { newPassword, disableTwoFactor }),
  )
  print(
    flags,
    { email, ...(newPassword === undefined && { password }), ...(disableTwoFactor && { hadTwoFactor }) },
    [
      newPassword === undefined
        ? `New password of ${email}: ${password}`
        : `The password of ${email} was changed.`,
      'This ended all their sessions, disconnected their apps, unlinked their Slack user and stopped their push messages.',
      ...(disableTwoFactor
        ? [
            hadTwoFactor
              ? 'Two-factor authentication was turned off.'
              : 'Two-factor authentication was already off.',
          ]
        : []),
    ],
  )
  return 0
}
