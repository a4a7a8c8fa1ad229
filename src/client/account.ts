import type { AccountSession, ChangePassword, TwoFactorEnrollment } from '../contract/account.ts'
import type { Confirmation } from '../contract/confirmation.ts'
import { type ClientOptions, createTransport } from './transport.ts'

export type AccountClient = ReturnType<typeof createAccountClient>

/** Routes for a person's own account. Requires a session cookie. */
export function createAccountClient(options: ClientOptions) {
  const request = createTransport(options)
  const post = <Result>(path: string, body: object = {}) =>
    request<Result>(`/api/auth${path}`, { method: 'POST', body })

  return {
    rename: (name: string) => request<void>('/api/v1/me', { method: 'PATCH', body: { name } }),
    sendVerification: () => request<unknown>('/api/v1/me/verification', { method: 'POST', body: {} }),
    changePassword: (input: ChangePassword) => post('/change-password', input),

    enableTwoFactor: (password: string) => post<TwoFactorEnrollment>('/two-factor/enable', { password }),
    confirmTwoFactor: (code: string) => post('/two-factor/verify-totp', { code }),
    disableTwoFactor: (confirmation: Confirmation) => post('/two-factor/disable', confirmation),
    /** `backupCodes` is better-auth's name for the recovery codes. */
    generateRecoveryCodes: (confirmation: Confirmation) =>
      post<{ backupCodes: string[] }>('/two-factor/generate-backup-codes', confirmation),

    /** The current session first, then the most recently updated. */
    async sessions(signal?: AbortSignal): Promise<(AccountSession & { isCurrent: boolean })[]> {
      const [current, all] = await Promise.all([
        request<{ session: AccountSession }>('/api/auth/get-session', { signal }),
        request<AccountSession[]>('/api/auth/list-sessions', { signal }),
      ])
      return all
        .map((session) => ({ ...session, isCurrent: session.token === current.session.token }))
        .sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent) || b.updatedAt.localeCompare(a.updatedAt))
    },
    revokeSession: (token: string) => post('/revoke-session', { token }),
    revokeAllSessions: () => post('/revoke-sessions'),
  }
}
