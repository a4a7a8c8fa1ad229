import { createHmac, randomBytes } from 'node:crypto'
import { sameText } from '../../lib/same-text.ts'
import type { Database } from '../../storage/engine/database.ts'
import { insertSignInSession, updateAmr } from '../../storage/people/identities.ts'
import {
  deleteSessions,
  findSignInSession,
  replacePassword,
  type SignInSession,
} from '../../storage/people/people.ts'
import { temporarilyUnavailable } from '../problems.ts'
import type { Auth } from './better-auth.ts'
import { type Device, type Person, presentPerson, type SignedInPerson } from './person.ts'

const hour = 3_600
const day = 24 * hour
// A session ends after `idleSeconds` without use, and in any case `maxSessionSeconds` after
// sign-in.
export const idleSeconds = 7 * day
const maxSessionSeconds = 30 * day
export const extendAfterSeconds = hour

export function createSignInSessions(database: Database, authSecret: string, auth: () => Promise<Auth>) {
  /**
   * Called for every request of a person. better-auth takes three round trips, so it is asked only
   * if the one query of sessionFromCookie finds no session or one that is due to be extended.
   */
  async function findSignedInPerson(headers: Headers): Promise<SignedInPerson | undefined> {
    return (await sessionFromCookie(headers)) ?? (await findSessionInBetterAuth(headers))
  }

  /** Returns undefined if the cookie is invalid, or the session has ended or is due to be extended. */
  async function sessionFromCookie(headers: Headers): Promise<SignedInPerson | undefined> {
    const { readCookie, sessionCookie } = await auth()
    const [, token, signature] = /^([^.]+)\.(.+)$/.exec(readCookie(headers, sessionCookie) ?? '') ?? []
    if (!token || !signature) return undefined
    if (!sameText(signature, sign(token))) return undefined
    const found = await findSignInSession(database, token)
    if (!found) return undefined
    const now = Date.now()
    const isExtensionDue = found.expiresAt.getTime() - (idleSeconds - extendAfterSeconds) * 1000 <= now
    if (isExtensionDue || now - found.createdAt.getTime() > maxSessionSeconds * 1000) return undefined
    return presentSession(found, [])
  }

  async function findSessionInBetterAuth(headers: Headers): Promise<SignedInPerson | undefined> {
    const { api, internalAdapter } = await auth()
    const { response: found, headers: responseHeaders } = await api
      .getSession({ headers, returnHeaders: true })
      .catch(rethrowAsUnavailable)
    if (!found) return undefined
    if (Date.now() - found.session.createdAt.getTime() > maxSessionSeconds * 1000) {
      await internalAdapter.deleteSession(found.session.token)
      return undefined
    }
    const session = await findSignInSession(database, found.session.token)
    return session && presentSession(session, responseHeaders.getSetCookie())
  }

  /** The person who has entered the password and must still enter a code. */
  async function findChallengedPerson(headers: Headers): Promise<Person | undefined> {
    const { internalAdapter, readCookie, challengeCookie } = await auth()
    const cookie = readCookie(headers, challengeCookie)
    // The signature of the cookie is not checked here but together with the code: the identifier
    // cannot be guessed.
    const challenge = cookie && (await internalAdapter.findVerificationValue(cookie.split('.')[0]!))
    if (!challenge || challenge.expiresAt.getTime() <= Date.now()) return undefined
    const user = await internalAdapter.findUserById(challenge.value)
    return user ? presentPerson(user) : undefined
  }

  /**
   * Starts a session without better-auth, which would ask for a password. `amr` is null if the
   * sign-in is not by single sign-on.
   */
  async function startSession(userId: string, device: Device, amr: string[] | null): Promise<string[]> {
    const { sessionCookie, cookieAttributes } = await auth()
    const token = randomBytes(32).toString('base64url')
    await insertSignInSession(database, { ...device, token, userId, idleSeconds, amr })
    const value = encodeURIComponent(`${token}.${sign(token)}`)
    return [`${sessionCookie}=${value}; Max-Age=${idleSeconds}; ${cookieAttributes}`]
  }

  /**
   * Records in a session, just started with a password, that the person also used single sign-on.
   */
  async function setAmr(cookies: string[], amr: string[]): Promise<void> {
    await updateAmr(database, await tokenIn(cookies), amr)
  }

  async function hasSession(userId: string, token: string): Promise<boolean> {
    return (await findSignInSession(database, token))?.userId === userId
  }

  /** Ends all sessions of the person except the one that these cookies have just started. */
  async function endOtherSessions(userId: string, cookies: string[]): Promise<void> {
    await deleteSessions(database, userId, { exceptToken: await tokenIn(cookies) })
  }

  /**
   * Removes the password and ends all sessions except the one that these cookies have just started.
   * If the address was unverified, verifies it and removes the second factor.
   */
  async function removePassword(userId: string, cookies: string[]) {
    const exceptToken = await tokenIn(cookies)
    return await replacePassword(database, userId, undefined, { provesAddress: true, exceptToken })
  }

  async function tokenIn(cookies: string[]): Promise<string> {
    const { readCookie, sessionCookie } = await auth()
    const headers = new Headers({ cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; ') })
    return readCookie(headers, sessionCookie)!.split('.')[0]!
  }

  const sign = (token: string) => createHmac('sha256', authSecret).update(token).digest('base64')

  return {
    findSignedInPerson,
    findChallengedPerson,
    startSession,
    setAmr,
    hasSession,
    endOtherSessions,
    removePassword,
    /** Carries the secrets of a started sign-in, so that only the same browser can complete it. */
    singleSignOnCookie: cookieNamed('singleSignOnCookie', auth),
    /** Remembers who has signed in with this browser. */
    deviceCookie: cookieNamed('deviceCookie', auth),
  }
}

function cookieNamed(name: 'singleSignOnCookie' | 'deviceCookie', auth: () => Promise<Auth>) {
  return {
    async write(value: string, seconds: number): Promise<string> {
      const { [name]: cookie, cookieAttributes } = await auth()
      return `${cookie}=${encodeURIComponent(value)}; Max-Age=${seconds}; ${cookieAttributes}`
    },
    async read(headers: Headers): Promise<string | undefined> {
      const { readCookie, [name]: cookie } = await auth()
      return readCookie(headers, cookie)
    },
  }
}

function presentSession(session: SignInSession, renewedCookies: string[]): SignedInPerson {
  const { userId, workspaces, amr, createdAt } = session
  return {
    ...presentPerson({ ...session, id: userId }),
    workspaces,
    amr,
    signedInAt: createdAt,
    renewedCookies,
  }
}

/** better-auth reports any failure as 500 and logs the cause, which here is an unavailable database. */
function rethrowAsUnavailable(error: unknown): never {
  if ((error as { statusCode?: number }).statusCode === 500) throw temporarilyUnavailable()
  throw error
}
