import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import type { HandrailProblem } from '../../../client/problem.ts'
import { api } from '../../lib/api.ts'
import { StandalonePage } from '../../ui/standalone-page.tsx'
import { ProblemStrip, Strip } from '../../ui/strip.tsx'
import { TextField } from '../../ui/text-field.tsx'
import authStyles from './auth.module.css'
import { useAuthForm } from './use-auth-form.ts'
import { useSetUpStatus } from './use-set-up-status.ts'

const CodeStep = lazy(() => import('./code-step.tsx'))

export function SignInPage() {
  const navigate = useNavigate()
  const { to } = useSearch({ from: '/sign-in' })
  const setUpStatus = useSetUpStatus()
  const [needsCode, setNeedsCode] = useState(false)
  const form = useAuthForm(async ({ email = '', password = '' }) => {
    const { twoFactorRedirect } = await api.signIn({ email, password })
    if (twoFactorRedirect) setNeedsCode(true)
    else await continueToApp()
  })

  async function continueToApp() {
    const [path = '/', search] = (to ?? '/').split('?')
    await navigate({ to: path, search: Object.fromEntries(new URLSearchParams(search)) as never })
  }

  if (needsCode) {
    return (
      <Suspense>
        <CodeStep onSignedIn={continueToApp} onBack={() => setNeedsCode(false)} />
      </Suspense>
    )
  }

  return (
    <StandalonePage title="Sign in">
      {setUpStatus.data?.needed && (
        <div className="above-16">
          <Strip tone="warn">
            Handrail isn't set up yet. Open the setup link that it printed when it first started.
          </Strip>
        </div>
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
  if (seconds <= 90) return `Try again in ${Math.max(1, seconds)} seconds.`
  return `Try again in ${Math.ceil(seconds / 60)} minutes.`
}
