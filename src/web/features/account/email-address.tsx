import { useMutation } from '@tanstack/react-query'
import { useWorkspace } from '../../lib/person.ts'
import { asProblem } from '../../lib/problem.ts'
import { ProblemStrip, Strip } from '../../ui/strip.tsx'
import { account } from './account-api.ts'

/** Shown while the email address is not verified. */
export function EmailAddress() {
  const { me } = useWorkspace()
  const verify = useMutation({ mutationFn: account.sendVerification })
  if (me.person.emailVerified) return null
  return (
    <section>
      <h2>
        Email address <span className="chip warn">not verified</span>
      </h2>
      <p>
        Nobody has proved yet that <bdi>{me.person.email}</bdi> is yours, so your answers are marked as not
        verified. The link we mail you asks for a new password. It ends all your sessions and switches
        two-factor off, so that nobody who used this account before keeps access.
      </p>
      <div className="buttons">
        <button
          type="button"
          className="btn"
          aria-disabled={verify.isPending}
          onClick={() => !verify.isPending && verify.mutate()}
        >
          Send a verification email
        </button>
      </div>
      {verify.isSuccess && <Strip tone="info">Check your email. The link works once, for an hour.</Strip>}
      {verify.error && <ProblemStrip what="No email was sent." problem={asProblem(verify.error)} />}
    </section>
  )
}
