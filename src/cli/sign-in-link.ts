import { createSignInLink } from '../server/domain/workspaces/sign-in-links.ts'
import { parseFlags, requireFlag } from './arguments.ts'
import { print, withService } from './with-service.ts'

export async function signInLink(argv: string[]): Promise<number> {
  const { flags } = parseFlags(argv, ['email'])
  const email = requireFlag(flags, 'email').toLowerCase()
  const { link, minutes } = await withService((service) => createSignInLink(service, email))
  print(flags, { email, link, minutes }, [
    link,
    `Whoever opens this link is signed in as ${email}. It works once, for ${minutes} minutes.`,
  ])
  return 0
}
