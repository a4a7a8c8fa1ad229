import { createHmac } from 'node:crypto'
import { AuthenticatorCode, RecoveryCode, type SignedIn } from '../../../contract/account.ts'
import { newId } from '../../lib/ids.ts'
import { sameText } from '../../lib/same-text.ts'
import { type GuardedAccount, guardCredentials } from '../../storage/people/credential-guard.ts'
import { type Membership, workspacesOfPerson } from '../../storage/people/members.ts'
import {
  claimCode,
  deleteChallenges,
  findSignInSession,
  insertPerson,
  replacePassword,
} from '../../storage/people/people.ts'
import { databaseUnavailable } from '../problems.ts'
import type { Auth, AuthOptions } from './better-auth.ts'

export type SecondFactor = 'authenticator' | 'recovery code'

export type Person = {
  id: string
  email: string
  emailVerified: boolean
  name: string
  hasTwoFactor: boolean
}
/** A session in use is prolonged, and its cookie with it. */
export type SignedInPerson = Person & { workspaces: Membership[]; renewedCookies: string[] }

export type SignInResult =
  | { outcome: 'signed in'; cookies: string[]; secondFactor?: SecondFactor }
  | { outcome: 'wrong password' | 'code needed' | 'wrong code' | 'too many wrong codes' }

/** What a person sees of a session in the list of theirs. */
export type Device = { from: string; userAgent: string }

export type People = ReturnType<typeof createPeople>

const hour = 3_600
const day = 24 * hour
// Seconds. A session ends when nobody used it for so long, and in any case so long after sign-in.
const idleLife = 7 * day
const longestLife = 30 * day
const prolongAfter = hour
// A code counts half a minute and, because clocks differ, the one before and the one after it too.
const codeLife = 90

/**
 * People, their passwords and their sessions: better-auth on our database. Workspaces and membership are ours, because a
 * change of them and its audit row must be one transaction.
 */
export function createPeople(options: AuthOptions) {
  const { database, authSecret } = options
  let loading: Promise<Auth> | undefined
  /** Loaded when first asked for: that takes longer than the work of a command that touches no account. */
  function auth(): Promise<Auth> {
    loading ??= import('./better-auth.ts').then(({ createAuth }) =>
      createAuth({ ...options, idleLife, prolongAfter }),
    )
    return loading
  }

  /** undefined: the address was registered concurrently. */
  async function create(person: {
    email: string
    name: string
    password: string
    emailVerified: boolean
  }): Promise<string | undefined> {
    const { password } = await auth()
    const { name, emailVerified } = person
    const email = person.email.toLowerCase()
    const id = newId('person')
    const passwordHash = await password.hash(person.password)
    const isAdded = await insertPerson(database, { id, email, name, emailVerified, passwordHash })
    return isAdded ? id : undefined
  }

  async function passwordIs(userId: string, candidate: string): Promise<boolean> {
    const { internalAdapter, password } = await auth()
    const accounts = await internalAdapter.findAccounts(userId)
    const hash = accounts.find((account) => account.providerId === 'credential')?.password
    return hash ? await password.verify({ hash, password: candidate }) : false
  }

  /** Ends every session of the person, too: whoever knew the old password is out. */
  async function setPassword(userId: string, newPassword: string, { provesMailbox = false } = {}) {
    const { password } = await auth()
    return await replacePassword(database, userId, await password.hash(newPassword), { provesMailbox })
  }

  /** With a new password ends what was begun before it: a mailed link, and a sign-in that still wants a code. */
  const endChallenges = (userId: string) => deleteChallenges(database, userId)

  async function rename(userId: string, name: string): Promise<void> {
    const { internalAdapter } = await auth()
    await internalAdapter.updateUser(userId, { name })
  }

  async function markVerified(userId: string): Promise<void> {
    const { internalAdapter } = await auth()
    await internalAdapter.updateUser(userId, { emailVerified: true })
  }

  /** False: it was off already. */
  async function disableTwoFactor(userId: string): Promise<boolean> {
    const { internalAdapter, adapter } = await auth()
    await internalAdapter.updateUser(userId, { twoFactorEnabled: false })
    return (await adapter.deleteMany({ model: 'twoFactor', where: [{ field: 'userId', value: userId }] })) > 0
  }

  /** A fresh session, for who has the password and, with two-factor, a code of the authenticator or a recovery code. */
  async function signIn(
    person: { id: string; email: string },
    credentials: { password: string; code?: string | undefined },
    device: Device,
  ): Promise<SignInResult> {
    const result = await guardCredentials(database, { id: person.id }, () =>
      verifyCredentials(person, credentials, device),
    )
    return result ?? { outcome: 'wrong password' }
  }

  async function verifyCredentials(
    person: { id: string; email: string },
    { password, code }: { password: string; code?: string | undefined },
    device: Device,
  ): Promise<SignInResult> {
    const headers = new Headers({ 'handrail-client-address': device.from, 'user-agent': device.userAgent })
    const { api } = await auth()
    const body = { email: person.email, password }
    const response = await api.signInEmail({ body, headers, asResponse: true })
    if (response.status >= 500) throw databaseUnavailable()
    if (!response.ok) return { outcome: 'wrong password' }
    const cookies = response.headers.getSetCookie()
    const { twoFactorRedirect } = (await response.json()) as SignedIn
    if (!twoFactorRedirect) return { outcome: 'signed in', cookies }
    if (code === undefined) return { outcome: 'code needed' }
    headers.set('cookie', cookies.map((cookie) => cookie.split(';')[0]).join('; '))
    return await verifyCode(person.id, code, headers)
  }

  async function verifyCode(userId: string, given: string, headers: Headers): Promise<SignInResult> {
    const { api } = await auth()
    const ofApp = AuthenticatorCode.safeParse({ code: given })
    const recovery = RecoveryCode.safeParse({ code: given })
    let response: Response
    if (ofApp.success) {
      if (!(await useCode(userId, ofApp.data.code))) return { outcome: 'wrong code' }
      response = await api.verifyTOTP({ body: ofApp.data, headers, asResponse: true })
    } else if (recovery.success) {
      response = await api.verifyBackupCode({ body: recovery.data, headers, asResponse: true })
    } else return { outcome: 'wrong code' }
    if (response.status >= 500) throw databaseUnavailable()
    if (response.ok) {
      const secondFactor = ofApp.success ? 'authenticator' : 'recovery code'
      return { outcome: 'signed in', cookies: response.headers.getSetCookie(), secondFactor }
    }
    const { code } = (await response.json().catch(() => ({}))) as { code?: string }
    return { outcome: code === 'ACCOUNT_TEMPORARILY_LOCKED' ? 'too many wrong codes' : 'wrong code' }
  }

  /** Asked with every request of a person. better-auth takes three journeys to say so, and is needed only for what is out of the ordinary. */
  async function whoIs(headers: Headers): Promise<SignedInPerson | undefined> {
    return (await sessionFromCookie(headers)) ?? (await whoIsByLibrary(headers))
  }

  /** undefined: the cookie is wrong, the session has ended or is due to be prolonged. */
  async function sessionFromCookie(headers: Headers): Promise<SignedInPerson | undefined> {
    const { readCookie, sessionCookie } = await auth()
    const [, token, signature] = /^([^.]+)\.(.+)$/.exec(readCookie(headers, sessionCookie) ?? '') ?? []
    if (!token || !signature) return undefined
    if (!sameText(signature, createHmac('sha256', authSecret).update(token).digest('base64')))
      return undefined
    const found = await findSignInSession(database, token)
    if (!found) return undefined
    const now = Date.now()
    const isDue = found.expiresAt.getTime() - (idleLife - prolongAfter) * 1000 <= now
    if (isDue || now - found.createdAt.getTime() > longestLife * 1000) return undefined
    return { ...present(found), workspaces: found.workspaces, renewedCookies: [] }
  }

  async function whoIsByLibrary(headers: Headers): Promise<SignedInPerson | undefined> {
    const { api, internalAdapter } = await auth()
    const { response: found, headers: answer } = await api
      .getSession({ headers, returnHeaders: true })
      .catch(hiddenCause)
    if (!found) return undefined
    if (Date.now() - found.session.createdAt.getTime() > longestLife * 1000) {
      await internalAdapter.deleteSession(found.session.token)
      return undefined
    }
    const workspaces = await workspacesOfPerson(database, found.user.id)
    return { ...present(found.user), workspaces, renewedCookies: answer.getSetCookie() }
  }

  /** better-auth says no more than that it failed; its log has the cause, which is a database that is away. */
  function hiddenCause(error: unknown): never {
    if ((error as { statusCode?: number }).statusCode === 500) throw databaseUnavailable()
    throw error
  }

  /** Whose password was right a moment ago, and whose code is still to come. */
  async function whoIsChallenged(headers: Headers): Promise<Person | undefined> {
    const { internalAdapter, readCookie, challengeCookie } = await auth()
    const cookie = readCookie(headers, challengeCookie)
    // Its signature is checked with the code. To know the name of a challenge is to have been challenged.
    const challenge = cookie && (await internalAdapter.findVerificationValue(cookie.split('.')[0]!))
    if (!challenge || challenge.expiresAt.getTime() <= Date.now()) return undefined
    const user = await internalAdapter.findUserById(challenge.value)
    return user ? present(user) : undefined
  }

  /** False: it was used before. */
  const useCode = (userId: string, code: string) => claimCode(database, userId, code, codeLife)

  /** better-auth's own, for the account that the request is about. 401 where its password was replaced meanwhile. */
  async function handler(request: Request, account: GuardedAccount): Promise<Response> {
    const { handler: handle } = await auth()
    const response = await guardCredentials(database, account, () => handle(request))
    return response ?? new Response(null, { status: 401 })
  }

  return {
    /** A service loads it before people come. */
    load: async () => void (await auth()),
    handler,
    create,
    passwordIs,
    setPassword,
    endChallenges,
    rename,
    markVerified,
    disableTwoFactor,
    signIn,
    whoIs,
    whoIsChallenged,
    useCode,
  }
}

type User = {
  id: string
  email: string
  emailVerified: boolean
  name: string
  twoFactorEnabled?: boolean | null | undefined
}

function present({ id, email, emailVerified, name, twoFactorEnabled }: User): Person {
  return { id, email, emailVerified, name, hasTwoFactor: twoFactorEnabled === true }
}
