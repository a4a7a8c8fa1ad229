import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ShieldAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { api } from '../../lib/api.ts'
import { asProblem } from '../../lib/problem.ts'
import { StandalonePage } from '../../ui/standalone-page.tsx'
import { LinkAccountForm } from './link-account-form.tsx'
import { rememberedPath, useContinue } from './use-continue.ts'

/** The page to which the identity provider redirects a person. */
export function SingleSignOnPage() {
  const [query] = useState(() => location.search.slice(1))
  const continueTo = useContinue()
  // The code in the query works once, so it is sent only once.
  const completed = useQuery({
    queryKey: ['single-sign-on', query],
    queryFn: () => api.completeSingleSignOn(query),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const isSignedIn = completed.data?.kind === 'signed-in'
  useEffect(() => {
    if (isSignedIn) void continueTo(rememberedPath())
  }, [isSignedIn])

  if (completed.error) {
    const { detail, requestId } = asProblem(completed.error)
    return (
      <StandalonePage icon={ShieldAlert} title="You're not signed in" intro={detail}>
        <Link className="btn primary full" to="/sign-in" search={{ to: rememberedPath() }}>
          Back to sign-in
        </Link>
        {requestId && <p className="above-16">Request ID: {requestId}</p>}
      </StandalonePage>
    )
  }
  if (completed.data?.kind === 'confirm')
    return (
      <LinkAccountForm
        email={completed.data.email}
        linkToken={completed.data.linkToken}
        resetsAccount={completed.data.resetsAccount}
        onSignedIn={() => continueTo(rememberedPath())}
      />
    )
  return <StandalonePage title="Signing in…" />
}
