import { useMutation } from '@tanstack/react-query'
import { asProblem } from '../../lib/problem.ts'
import { useSetUpStatus } from '../../lib/use-set-up-status.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { ProblemStrip, Strip } from '../../ui/strip.tsx'
import { accountApi } from './account-api.ts'

/**
 * Shown while the email address is not verified. Says how to verify it: with an emailed link that
 * sets a new password. If the service sends no such links, with single sign-on or, if people have
 * passwords here, by asking the operator.
 */
export function UnverifiedEmail() {
  const { me } = useWorkspace()
  const { passwordSignIn = true, resetsByMail = true, singleSignOn } = useSetUpStatus().data ?? {}
  const verifiesByMail = passwordSignIn && resetsByMail
  const sendEmail = useMutation({ mutationFn: accountApi.sendVerification })
  if (me.person.emailVerified) return null
  return (
    <section>
      <h2>
        Email address <span className="chip warn">Not verified</span>
      </h2>
      <p>
        Your address <bdi>{me.person.email}</bdi> isn't verified, and neither are your answers.{' '}
        {verifiesByMail
          ? "We'll email you a link to verify it by choosing a new password. This signs you out on all devices, disconnects your apps, unlinks your Slack user and stops push messages. It also turns off two-factor authentication, so that nobody else keeps access to your account."
          : singleSignOn && `To verify it, sign out and sign in with ${singleSignOn}.`}
        {passwordSignIn && !resetsByMail && (
          <>
            {' '}
            {singleSignOn ? 'Or ask' : 'To verify it, ask'} the operator of this service to run{' '}
            <code>handrail people verify --email &lt;your email&gt;</code>.
          </>
        )}
      </p>
      {verifiesByMail && (
        <div className="buttons">
          <button
            type="button"
            className="btn"
            aria-disabled={sendEmail.isPending}
            onClick={() => !sendEmail.isPending && sendEmail.mutate()}
          >
            Send verification email
          </button>
        </div>
      )}
      {sendEmail.isSuccess && (
        <Strip tone="success">Check your email. The link works once and expires in an hour.</Strip>
      )}
      {sendEmail.error && (
        <ProblemStrip message="The email wasn't sent." problem={asProblem(sendEmail.error)} />
      )}
    </section>
  )
}
