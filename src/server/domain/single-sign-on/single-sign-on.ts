import { DomainProblem, forbidden } from '../problems.ts'
import type { Service, SingleSignOn } from '../service.ts'

export function requireSingleSignOn({ singleSignOn }: Service): SingleSignOn {
  if (singleSignOn) return singleSignOn
  throw new DomainProblem('not_found', 'Single sign-on is not configured here. Sign in with your password.')
}

/** For everything that would let a person in with a password alone. */
export function requirePasswordSignIn({ passwordSignIn, singleSignOn }: Service): void {
  if (passwordSignIn) return
  throw forbidden(`Sign-in with a password is turned off. Continue with ${singleSignOn?.name}.`)
}
