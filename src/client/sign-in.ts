import type { RequestPasswordReset, ResetPassword, SignedIn, SignIn } from '../contract/account.ts'
import type {
  AuthorizationDecision,
  AuthorizationPreview,
  DecideAuthorization,
} from '../contract/connected-app.ts'
import type { AcceptInvitation, InvitationAccepted, InvitationPreview } from '../contract/invitation.ts'
import type { UnsubscribePreview } from '../contract/notification.ts'
import type { SetUp, SetUpDone, SetUpStatus } from '../contract/set-up.ts'
import type {
  ConfirmSingleSignOn,
  SingleSignOnResult,
  SingleSignOnStarted,
} from '../contract/single-sign-on.ts'
import type { Transport } from './transport.ts'

/** Signing in and out, and links that people open: invitations, consent pages, unsubscribing. */
export function signInCalls(request: Transport) {
  return {
    signIn: (input: SignIn) => request<SignedIn>('/api/auth/sign-in/email', { method: 'POST', body: input }),
    /** The second factor: a code of an authenticator app. */
    verifyCode: (code: string) =>
      request<unknown>('/api/auth/two-factor/verify-totp', { method: 'POST', body: { code } }),
    verifyRecoveryCode: (code: string) =>
      request<unknown>('/api/auth/two-factor/verify-backup-code', { method: 'POST', body: { code } }),
    requestPasswordReset: (input: RequestPasswordReset) =>
      request<unknown>('/api/v1/password-resets', { method: 'POST', body: input }),
    resetPassword: (input: ResetPassword) =>
      request<void>('/api/v1/password-resets/accept', { method: 'POST', body: input }),
    signOut: () => request<unknown>('/api/auth/sign-out', { method: 'POST', body: {} }),

    /** Returns the URL of the identity provider's page to open. */
    startSingleSignOn: () =>
      request<SingleSignOnStarted>('/api/v1/single-sign-on', { method: 'POST', body: {} }),
    completeSingleSignOn: (query: string) =>
      request<SingleSignOnResult>('/api/v1/single-sign-on/complete', { method: 'POST', body: { query } }),
    confirmSingleSignOn: (input: ConfirmSingleSignOn) =>
      request<unknown>('/api/v1/single-sign-on/confirm', { method: 'POST', body: input }),
    /** Signs in with the token of a link that the operator created. Not a React hook. */
    useSignInLink: (token: string) =>
      request<unknown>('/api/v1/sign-in-links/use', { method: 'POST', body: { token } }),

    setUpNeeded: () => request<SetUpStatus>('/api/v1/setup'),
    setUp: (input: SetUp) => request<SetUpDone>('/api/v1/setup', { method: 'POST', body: input }),
    previewInvitation: (token: string) =>
      request<InvitationPreview>('/api/v1/invitations/preview', { method: 'POST', body: { token } }),
    acceptInvitation: (input: AcceptInvitation) =>
      request<InvitationAccepted>('/api/v1/invitations/accept', { method: 'POST', body: input }),

    previewUnsubscribe: (token: string) =>
      request<UnsubscribePreview>('/api/v1/unsubscribe/preview', { method: 'POST', body: { token } }),
    /** Called with the token of a link in an email. Turns off the emails about tasks to its recipient. */
    unsubscribe: (token: string) =>
      request<void>(`/unsubscribe/${encodeURIComponent(token)}`, { method: 'POST' }),

    /** For the consent page: the app that sent the person with this query string. */
    previewAuthorization: (query: string) =>
      request<AuthorizationPreview>('/api/v1/authorizations/preview', { method: 'POST', body: { query } }),
    decideAuthorization: (input: DecideAuthorization) =>
      request<AuthorizationDecision>('/api/v1/authorizations', { method: 'POST', body: input }),
  }
}
