import type { AccountSession, ChangePassword, TwoFactorEnrollment } from '../contract/account.ts'
import { type ClientOptions, createTransport } from './transport.ts'

export type AccountClient = ReturnType<typeof createAccountClient>

/** What a person does to their own account. Needs a session cookie. */
export function createAccountClient(options: ClientOptions) {
  const request = createTransport(options)
  const post = <Result>(path: string, body: object = {}) =>
    request<Result>(`/api/auth${path}`, { method: 'POST', body })

  return {
    rename: (name: string) => request<void>('/api/v1/me', { method: 'PATCH', body: { name } }),
    sendVerification: () => request<unknown>('/api/v1/me/verification', { method: 'POST', body: {} }),
    changePassword: (input: ChangePassword) => post('/change-password', input),

    beginTwoFactor: (password: string) => post<TwoFactorEnrollment>('/two-factor/enable', { password }),
    confirmTwoFactor: (code: string) => post('/two-factor/verify-totp', { code }),
    endTwoFactor: (password: string) => post('/two-factor/disable', { password }),
    newRecoveryCodes: (password: string) =>
      post<{ backupCodes: string[] }>('/two-factor/generate-backup-codes', { password }),

    /** This one first, then the one used last. */
    async sessions(signal?: AbortSignal): Promise<(AccountSession & { isThis: boolean })[]> {
      const [here, all] = await Promise.all([
        request<{ session: AccountSession }>('/api/auth/get-session', { signal }),
        request<AccountSession[]>('/api/auth/list-sessions', { signal }),
      ])
      return all
        .map((one) => ({ ...one, isThis: one.token === here.session.token }))
        .sort((a, b) => Number(b.isThis) - Number(a.isThis) || b.updatedAt.localeCompare(a.updatedAt))
    },
    endSession: (token: string) => post('/revoke-session', { token }),
    endAllSessions: () => post('/revoke-sessions'),
  }
}
