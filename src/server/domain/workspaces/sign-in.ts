import { AuthenticatorCode, RecoveryCode, type SignedIn } from '../../../contract/account.ts'
import type { Database } from '../../storage/engine/database.ts'
import { type GuardedAccount, guardCredentials } from '../../storage/people/credential-guard.ts'
import { claimCode, findSignInSession } from '../../storage/people/people.ts'
import { temporarilyUnavailable } from '../problems.ts'
import type { Auth } from './better-auth.ts'
import type { Device, SecondFactor, SignInResult } from './person.ts'

// An authenticator shows a new code every 30 s. Because clocks differ, the previous code and the
// next one are accepted too, so each code is accepted for 90 s.
const codeValiditySeconds = 90

export function createSignIn(database: Database, auth: () => Promise<Auth>) {
  /**
   * Starts a session. An account with two-factor also needs `code`, from the authenticator app or a
   * recovery code.
   */
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
    if (response.status >= 500) throw temporarilyUnavailable()
    if (!response.ok) return { outcome: 'wrong password' }
    const cookies = response.headers.getSetCookie()
    const { twoFactorRedirect } = (await response.json()) as SignedIn
    if (!twoFactorRedirect) return { outcome: 'signed in', cookies }
    if (code === undefined) return { outcome: 'second factor required' }
    headers.set('cookie', cookies.map((cookie) => cookie.split(';')[0]).join('; '))
    return await verifyCode(person.id, code, headers)
  }

  async function verifyCode(userId: string, input: string, headers: Headers): Promise<SignInResult> {
    const { api } = await auth()
    const authenticator = AuthenticatorCode.safeParse({ code: input })
    const recovery = RecoveryCode.safeParse({ code: input })
    let response: Response
    if (authenticator.success) {
      if (!(await claimAuthenticatorCode(userId, authenticator.data.code))) return { outcome: 'wrong code' }
      response = await api.verifyTOTP({ body: authenticator.data, headers, asResponse: true })
    } else if (recovery.success) {
      response = await api.verifyBackupCode({ body: recovery.data, headers, asResponse: true })
    } else return { outcome: 'wrong code' }
    if (response.status >= 500) throw temporarilyUnavailable()
    if (response.ok) {
      const secondFactor = authenticator.success ? 'authenticator' : 'recovery code'
      return { outcome: 'signed in', cookies: response.headers.getSetCookie(), secondFactor }
    }
    const { code } = (await response.json().catch(() => ({}))) as { code?: string }
    return { outcome: code === 'ACCOUNT_TEMPORARILY_LOCKED' ? 'too many wrong codes' : 'wrong code' }
  }

  /**
   * Uses up a code of someone who is signed in. Returns the second factor that the code belongs to,
   * or undefined if the code is invalid.
   */
  async function confirmCode(
    userId: string,
    code: string,
    requestHeaders: Headers,
  ): Promise<SecondFactor | undefined> {
    const { readCookie, sessionCookie } = await auth()
    const cookie = readCookie(requestHeaders, sessionCookie) ?? ''
    // A request may carry cookies of several people: the code has to belong to the one who makes
    // the change.
    const found = await findSignInSession(database, cookie.split('.')[0]!)
    if (found?.userId !== userId) return undefined
    const session = encodeURIComponent(cookie)
    const headers = new Headers({ cookie: `${sessionCookie}=${session}` })
    const result = await guardCredentials(database, { id: userId }, () => verifyCode(userId, code, headers))
    return result?.outcome === 'signed in' ? result.secondFactor : undefined
  }

  /**
   * Claims a code of the authenticator app, so that nobody can use it again. Returns false if it
   * was used before.
   */
  const claimAuthenticatorCode = (userId: string, code: string) =>
    claimCode(database, userId, code, codeValiditySeconds)

  /**
   * Passes a request about this account to better-auth. Responds 401 if the password or two-factor
   * of the account was changed meanwhile.
   */
  async function forwardToBetterAuth(request: Request, account: GuardedAccount): Promise<Response> {
    const { handler } = await auth()
    const response = await guardCredentials(database, account, () => handler(request))
    return response ?? new Response(null, { status: 401 })
  }

  return { signIn, confirmCode, claimAuthenticatorCode, forwardToBetterAuth }
}
