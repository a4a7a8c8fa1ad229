import { verifyPerson } from '../server/domain/workspaces/operator.ts'
import { parseFlags, required, UsageError } from './arguments.ts'
import { print, withService } from './with-service.ts'

export async function people(argv: string[]): Promise<number> {
  const { flags, words } = parseFlags(argv, ['email'])
  if (words.length !== 1 || words[0] !== 'verify') throw new UsageError('Expected `people verify`.')
  const email = required(flags, 'email').toLowerCase()
  const { wasVerified } = await withService((service) => verifyPerson(service, email))
  print(flags, { email, wasVerified }, [
    wasVerified
      ? `${email} was verified already.`
      : `${email} is verified. You vouch for whoever uses the account now: if you are not sure, also run handrail password-reset.`,
  ])
  return 0
}
