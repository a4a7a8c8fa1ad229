import { Email } from '../../../contract/field.ts'
import type { SingleSignOnResult } from '../../../contract/single-sign-on.ts'
import { PersonName } from '../../../contract/workspace.ts'
import { networkOf } from '../../lib/client-address.ts'
import type { OidcIdentity } from '../../lib/oidc-client.ts'
import { sameText } from '../../lib/same-text.ts'
import { findPersonByIdentity, hasCredentials } from '../../storage/people/identities.ts'
import { findPersonByEmail } from '../../storage/people/people.ts'
import { consumeRateLimits } from '../../storage/people/rate-counts.ts'
import { forbidden, rateLimited } from '../problems.ts'
import type { Service } from '../service.ts'
import type { Device } from '../workspaces/person.ts'
import { logAttempt, recordSignIn } from '../workspaces/sign-in-trail.ts'
import { linkTokenFor } from './confirm.ts'
import { acceptInvitationsTo, mayHaveAccount } from './join-workspaces.ts'
import { linkIdentity } from './link-identity.ts'
import { expiredSignIn, logOidcError } from './refusals.ts'
import { requireSingleSignOn } from './single-sign-on.ts'
import { openSignInSecrets } from './start.ts'

const completionsPerMinute = 120 // per network

type Completed = { result: SingleSignOnResult; cookies: string[] }

/**
 * Signs a person in with the response of the identity provider, which the query string contains. If
 * their address already has an account that is not linked, the result asks them to confirm that the
 * account is theirs. `sealedSecrets` comes from the cookie of the browser that started the sign-in.
 */
export async function completeSingleSignOn(
  service: Service,
  { query, sealedSecrets }: { query: string; sealedSecrets: string | undefined },
  device: Device,
): Promise<Completed> {
  const { client, name } = requireSingleSignOn(service)
  const secrets = openSignInSecrets(service, sealedSecrets)
  const { state, code, error, iss } = readResponse(query)
  if (!secrets || state === undefined || !sameText(state, secrets.state)) throw expiredSignIn()
  await limitCompletions(service, device)
  if (error !== undefined || code === undefined)
    throw forbidden(`${name} did not sign you in. Start again, or ask the administrator of ${name}.`)
  const identity = await client.redeem({ code, iss }, secrets).catch((thrown) => {
    throw logOidcError(service, thrown)
  })
  const { result, cookies } = await signInAs(service, identity, device)
  const clearedCookie = await service.people.singleSignOnCookie.write('', 0)
  return { result, cookies: [...cookies, clearedCookie] }
}

/**
 * Anyone can start a sign-in, and each code that is sent here causes a request to the identity
 * provider.
 */
async function limitCompletions({ database }: Service, { from }: Device): Promise<void> {
  const subject = `single sign-on from ${networkOf(from)}`
  const use = await consumeRateLimits(database, [{ subject, max: completionsPerMinute, seconds: 60 }])
  if (!use.allowed)
    throw rateLimited('Too many sign-ins from your network. Try again in a minute.', use.retryAfterSeconds)
}

/** A repeated parameter could mean one thing to us and another to the identity provider. */
function readResponse(query: string): Record<string, string | undefined> {
  const parameters = new URLSearchParams(query)
  const names = [...parameters.keys()]
  return new Set(names).size === names.length ? Object.fromEntries(parameters) : {}
}

async function signInAs(service: Service, identity: OidcIdentity, device: Device): Promise<Completed> {
  const linked = await findPersonByIdentity(service.database, identity)
  const email = verifiedEmail(service, identity)
  // Once an identity is linked, it decides who signs in. Its address may have changed since, or no
  // longer be verified.
  if (linked) {
    if (email !== undefined)
      await acceptInvitationsTo(service, { userId: linked.id, email, from: device.from })
    return await startSession(service, linked.id, identity, device)
  }
  if (email === undefined) throw refuseAddress(service, identity, device)
  const existing = await findPersonByEmail(service.database, email)
  if (existing && (await hasCredentials(service.database, existing.id))) {
    const linkToken = linkTokenFor(service, { ...identity, email })
    const resetsAccount = !existing.emailVerified
    return { result: { kind: 'confirm', email, linkToken, resetsAccount }, cookies: [] }
  }
  if (!existing && !(await mayHaveAccount(service, email))) throw refuseUninvited(service, email, device)
  const name = PersonName.safeParse(identity.name ?? '')
  const userId =
    existing?.id ??
    (await service.people.create({
      email,
      name: name.success ? name.data : email.split('@')[0]!,
      emailVerified: true,
    }))
  // A person with this address was created concurrently: the second call finds them.
  if (userId === undefined) return await signInAs(service, identity, device)
  await linkIdentity(service, userId, { ...identity, email }, device)
  return await startSession(service, userId, identity, device)
}

async function startSession(
  service: Service,
  userId: string,
  { amr }: OidcIdentity,
  device: Device,
): Promise<Completed> {
  const cookies = await service.people.startSession(userId, device, amr)
  await recordSignIn(service, userId, device.from, { method: 'single sign-on', amr })
  return { result: { kind: 'signed-in' }, cookies }
}

/**
 * The address, if the identity provider has verified it and, when domains are configured, it is in
 * one of them.
 */
function verifiedEmail(service: Service, { email, emailVerified }: OidcIdentity): string | undefined {
  const address = Email.safeParse(email)
  if (!address.success || !emailVerified) return undefined
  const { domains } = requireSingleSignOn(service)
  const isAllowed = domains.length === 0 || domains.includes(address.data.split('@').at(-1)!)
  return isAllowed ? address.data : undefined
}

function refuseAddress(service: Service, { email, emailVerified }: OidcIdentity, { from }: Device) {
  const { name, domains } = requireSingleSignOn(service)
  logAttempt(service, 'sign-in', { from, account: undefined, outcome: 'refused single sign-on' })
  if (email === undefined)
    return forbidden(`${name} did not send your email address. Ask the administrator of ${name} to send it.`)
  if (!emailVerified)
    return forbidden(`${name} has not verified your email address. Verify it there, then sign in here again.`)
  if (!Email.safeParse(email).success)
    return forbidden(
      `${name} sent an email address that Handrail does not accept. Ask the administrator of ${name} for another one.`,
    )
  return forbidden(
    `Your email address at ${name} cannot be used here: only addresses at ${domains.join(', ')} can. Continue with another account.`,
  )
}

function refuseUninvited(service: Service, email: string, { from }: Device) {
  logAttempt(service, 'sign-in', { from, account: undefined, outcome: 'unknown account' })
  return forbidden(`Nobody has invited ${email} yet. Ask an admin of your workspace for an invitation.`)
}
