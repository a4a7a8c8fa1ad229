import { Link, useSearch } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import type { HandrailProblem } from '../../../client/problem.ts'
import { api } from '../../lib/api.ts'
import { pluralize } from '../../lib/count.ts'
import { asProblem } from '../../lib/problem.ts'
import { useSetUpStatus } from '../../lib/use-set-up-status.ts'
import { onDemandPart } from '../../ui/lazy-part.tsx'
import { PageNotLoaded } from '../../ui/page-not-loaded.tsx'
import { StandalonePage } from '../../ui/standalone-page.tsx'
import { ProblemStrip, Strip } from '../../ui/strip.tsx'
import { TextField } from '../../ui/text-field.tsx'
import authStyles from './auth.module.css'
import { SingleSignOnButton } from './single-sign-on-button.tsx'
import { useContinue } from './use-continue.ts'
import { useSignedOutForm } from './use-signed-out-form.ts'

const CodeStep = onDemandPart(() => import('./code-step.tsx'))

export function SignInPage() {
  const continueTo = useContinue()
  const { to } = useSearch({ from: '/sign-in' })
  const setUpStatus = useSetUpStatus()
  const [needsCode, setNeedsCode] = useState(false)
  const continueToApp = () => continueTo(to)
  const form = useSignedOutForm(async ({ email = '', password = '' }) => {
    const { twoFactorRedirect } = await api.signIn({ email, password })
    if (twoFactorRedirect) setNeedsCode(true)
    else await continueToApp()
  })

  if (needsCode) {
    return (
      <Suspense>
        <CodeStep onSignedIn={continueToApp} onBack={() => setNeedsCode(false)} />
      </Suspense>
    )
  }

  // Until the status is loaded, it is unknown whether people sign in with passwords here.
  if (setUpStatus.isPending) return null
  if (setUpStatus.isLoadingError) {
    return (
      <PageNotLoaded
        title="The sign-in page couldn't be loaded"
        problem={asProblem(setUpStatus.error)}
        onRetry={() => void setUpStatus.refetch()}
      />
    )
  }
  const singleSignOn = setUpStatus.data?.singleSignOn
  const setUpHint = setUpStatus.data?.needed && (
    <div className="above-16">
      <Strip tone="warn">
        Handrail isn't set up yet. Open the setup link in its log. Every start prints it again.
      </Strip>
    </div>
  )
  if (singleSignOn !== undefined && !setUpStatus.data?.passwordSignIn) {
    return (
      <StandalonePage title="Sign in">
        {setUpHint}
        <SingleSignOnButton name={singleSignOn} to={to} isPrimary />
      </StandalonePage>
    )
  }
  return (
    <StandalonePage title="Sign in">
      {setUpHint}
      {singleSignOn !== undefined && (
        <>
          <SingleSignOnButton name={singleSignOn} to={to} />
          <p className={authStyles.divider}>or</p>
        </>
      )}
      <form onSubmit={form.submit}>
        {form.problem && <SignInProblem problem={form.problem} />}
        <TextField label="Email" name="email" type="email" autoComplete="username" required autoFocus />
        <TextField
          label="Password"
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
        <button className="btn primary" type="submit" aria-disabled={form.isSending}>
          {form.isSending ? 'Signing in…' : 'Sign in'}
        </button>
      </form>
      {setUpStatus.data && !setUpStatus.data.needed && (
        <p className={authStyles.secondaryLinks}>
          {setUpStatus.data.resetsByMail ? (
            <Link to="/forgot-password">Forgot your password?</Link>
          ) : (
            'Forgot your password? Ask the operator of this service to reset it.'
          )}
        </p>
      )}
    </StandalonePage>
  )
}

function SignInProblem({ problem }: { problem: HandrailProblem }) {
  if (problem.status === 401) return <Strip tone="neg">Incorrect email or password.</Strip>
  if (problem.status === 429) {
    return <Strip tone="neg">Too many attempts. {tryAgain(problem.retryAfterSeconds)}</Strip>
  }
  return <ProblemStrip message="Sign-in failed." problem={problem} />
}

function tryAgain(seconds: number | undefined): string {
  if (seconds === undefined) return 'Try again in a minute.'
  if (seconds <= 90) return `Try again in ${pluralize(Math.max(1, seconds), 'second')}.`
  return `Try again in ${Math.ceil(seconds / 60)} minutes.`
}
