import { Link } from '@tanstack/react-router'
import { api } from '../../lib/api.ts'
import { useSetUpStatus } from '../../lib/use-set-up-status.ts'
import { SecondFactorField } from '../../ui/second-factor-field.tsx'
import { StandalonePage } from '../../ui/standalone-page.tsx'
import { TextField } from '../../ui/text-field.tsx'
import authStyles from './auth.module.css'
import { AuthForm } from './auth-form.tsx'
import { useSignedOutForm } from './use-signed-out-form.ts'

type Props = { email: string; linkToken: string; resetsAccount: boolean; onSignedIn: () => Promise<void> }

/**
 * Shown if the identity from single sign-on is not linked yet, and there is already an account with
 * its address, perhaps linked to another identity. The password proves that it belongs to the same
 * person.
 */
export function LinkAccountForm({ email, linkToken, resetsAccount, onSignedIn }: Props) {
  const setUpStatus = useSetUpStatus()
  const name = setUpStatus.data?.singleSignOn ?? 'single sign-on'
  const form = useSignedOutForm(async ({ password = '', code }) => {
    await api.confirmSingleSignOn({ linkToken, password, code })
    await onSignedIn()
  })
  return (
    <StandalonePage
      title={`Link ${name} to your account`}
      intro={
        <>
          <bdi>{email}</bdi> already has an account here. Enter its password once. After that, you can sign in
          with {name}.
          {resetsAccount &&
            " Your address wasn't verified here before, so this also signs you out on all other devices, disconnects your apps, unlinks your Slack user, stops push messages, and removes the account's password and two-factor authentication."}
        </>
      }
    >
      <AuthForm
        form={form}
        failureMessage="Your account wasn't linked."
        submitLabel="Link and sign in"
        submittingLabel="Linking…"
      >
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          error={form.errorAt('password')}
          required
          autoFocus
        />
        {form.needsCode && <SecondFactorField autoFocus error={form.errorAt('code')} />}
      </AuthForm>
      {setUpStatus.data && (
        <p className={authStyles.secondaryLinks}>
          {setUpStatus.data.passwordSignIn && setUpStatus.data.resetsByMail ? (
            <Link to="/forgot-password">Forgot your password, or never had one?</Link>
          ) : (
            'Forgot your password, or never had one? Ask the operator of this service to set one.'
          )}
        </p>
      )}
    </StandalonePage>
  )
}
