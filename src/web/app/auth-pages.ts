// Pages outside a workspace, in one chunk: each chunk adds its file name to the script that the
// inbox loads.
export { AuthorizePage } from '../features/auth/authorize-page.tsx'
export { ForgotPasswordPage } from '../features/auth/forgot-password-page.tsx'
export { InvitationPage } from '../features/auth/invitation-page.tsx'
export { PasswordResetPage } from '../features/auth/password-reset-page.tsx'
export { SetUpPage } from '../features/auth/set-up-page.tsx'
export { SignInLinkPage } from '../features/auth/sign-in-link-page.tsx'
export { SignInPage } from '../features/auth/sign-in-page.tsx'
export { SingleSignOnPage } from '../features/auth/single-sign-on-page.tsx'
export { UnsubscribePage } from '../features/auth/unsubscribe-page.tsx'
