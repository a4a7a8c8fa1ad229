import { useMutation, useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { Unlink } from 'lucide-react'
import { useEffect } from 'react'
import type { HandrailProblem } from '../../../client/problem.ts'
import { api } from '../../lib/api.ts'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { asProblem } from '../../lib/problem.ts'
import { useMe } from '../../lib/workspace.ts'
import { PersonNotLoaded } from '../../parts/shell/person-not-loaded.tsx'
import { PageNotLoaded } from '../../ui/page-not-loaded.tsx'
import { StandalonePage } from '../../ui/standalone-page.tsx'
import { ConsentForm } from './consent-form.tsx'

/**
 * The page to which an app sends a person to get access (OAuth). Nothing is decided before the
 * person presses a button.
 */
export function AuthorizePage() {
  const href = useLocation({ select: ({ pathname, searchStr }) => pathname + searchStr })
  const query = href.split('?')[1] ?? ''
  const me = useMe()
  const preview = useQuery({
    queryKey: ['authorization', query],
    queryFn: () => api.previewAuthorization(query),
    // Not cached: what the workspaces allow may have changed when the page is opened again.
    gcTime: 0,
  })
  const decide = useMutation({
    mutationFn: (workspaceId: string | undefined) =>
      api.decideAuthorization({ query, ...(workspaceId && { workspaceId }) }),
  })
  const returnTo = decide.data?.redirectTo
  useEffect(() => {
    if (returnTo !== undefined) location.assign(returnTo)
  }, [returnTo])

  const problem = preview.error && asProblem(preview.error)
  if (!preview.data && problem && problem.status !== 401) {
    return <NoPreview problem={problem} onRetry={() => void preview.refetch()} />
  }
  if (!me.data) return <PersonNotLoaded me={me} />
  if (!preview.data) return null
  if (preview.data.kind === 'invalid') return <InvalidRequest returnTo={preview.data.redirectTo} />
  if (returnTo !== undefined) {
    return (
      <StandalonePage
        title={`Returning to ${escapeBidi(preview.data.client.name)}`}
        intro="If nothing happens, open the app. You can close this page."
      />
    )
  }
  return (
    <ConsentForm
      me={me.data}
      request={preview.data}
      href={href}
      sending={decide.isPending ? (decide.variables ? 'allow' : 'decline') : undefined}
      problem={decide.error ? asProblem(decide.error) : undefined}
      onDecide={(workspaceId) => decide.mutate(workspaceId)}
    />
  )
}

function NoPreview({ problem, onRetry }: { problem: HandrailProblem; onRetry: () => void }) {
  const { status, detail, requestId } = problem
  const isRefused = status >= 400 && status < 500 && status !== 429
  if (!isRefused) return <PageNotLoaded problem={problem} onRetry={onRetry} />
  return (
    <StandalonePage icon={Unlink} title="This app can't be connected" intro={detail}>
      {requestId && <p className="above-16">Request ID: {requestId}</p>}
    </StandalonePage>
  )
}

/**
 * Does not redirect by itself: anyone can register an app, and a link to Handrail must not forward
 * people to any site.
 */
function InvalidRequest({ returnTo }: { returnTo: string }) {
  const { protocol, host } = new URL(returnTo)
  // The service accepts other protocols only for programs on the person's computer.
  const isLocal = protocol !== 'https:'
  return (
    <StandalonePage
      icon={Unlink}
      title="This app can't be connected"
      intro={
        <>
          The app sent an invalid request, so it gets no access. Return only if you started this{' '}
          {isLocal ? (
            'on your own computer'
          ) : (
            <>
              at <strong>{host}</strong>
            </>
          )}
          .
        </>
      }
    >
      <a className="btn full" href={returnTo}>
        Return to {isLocal ? 'the app' : host}
      </a>
    </StandalonePage>
  )
}
