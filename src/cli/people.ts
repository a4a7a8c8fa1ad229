import { verifyPerson } from '../server/domain/workspaces/operator.ts'
import { parseArguments, requireFlag, UsageError } from './arguments.ts'
import { print, withService } from './with-service.ts'

export async function people(argv: string[]): Promise<number> {
  const { flags, positionals } = parseArguments(argv, ['email'])
  if (positionals.length !== 1 || positionals[0] !== 'verify')
    throw new UsageError('Expected `people verify`.')
  const email = requireFlag(flags, 'email').toLowerCase()
  const { wasVerified } = await withService((service) => verifyPerson(service, email))
  print(flags, { email, wasVerified }, [
    wasVerified
      ? `${email} was already verified.`
      : `${email} is now verified. If you are not sure who uses the account, also run handrail password-reset.`,
  ])
  return 0
}
