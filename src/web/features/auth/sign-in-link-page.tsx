import { api } from '../../lib/api.ts'
import { StandalonePage } from '../../ui/standalone-page.tsx'
import { AuthForm } from './auth-form.tsx'
import { useContinue } from './use-continue.ts'
import { useSignedOutForm } from './use-signed-out-form.ts'
import { useTokenFromLink } from './use-token-from-link.ts'

/**
 * The page of a link that the operator created. It has a button, because merely opening the link
 * must not use it up.
 */
export function SignInLinkPage() {
  const token = useTokenFromLink()
  if (token === '') {
    return (
      <StandalonePage
        title="This link is incomplete"
        intro="Copy the complete link, or ask the operator for a new one."
      />
    )
  }
  return <SignInWithLink key={token} token={token} />
}

function SignInWithLink({ token }: { token: string }) {
  const continueTo = useContinue()
  const form = useSignedOutForm(async () => {
    // Not a React hook, but a request that uses up the link and starts a session.
    await api.useSignInLink(token)
    await continueTo('/')
  })
  return (
    <StandalonePage
      title="Sign in"
      intro="The operator of this service created this link for you. It works once."
    >
      <AuthForm
        form={form}
        failureMessage="Sign-in failed."
        submitLabel="Sign in"
        submittingLabel="Signing in…"
      />
    </StandalonePage>
  )
}
