import { Password } from '../contract/workspace.ts'
import { resetPassword } from '../server/domain/workspaces/operator.ts'
import { readFlags, required } from './arguments.ts'
import { check } from './setup.ts'
import { print, withService } from './with-service.ts'

export async function passwordReset(argv: string[]): Promise<number> {
  const { flags } = readFlags(argv, ['email', 'password'])
  const email = required(flags, 'email').toLowerCase()
  const given =
    flags.password === undefined ? undefined : check('password', Password.safeParse(flags.password))
  const password = await withService((service) => resetPassword(service, email, given))
  print(flags, { email, ...(given === undefined && { password }) }, [
    given === undefined ? `New password of ${email}: ${password}` : `${email} has the new password.`,
    'All their sessions have ended.',
  ])
  return 0
}
