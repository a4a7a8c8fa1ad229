import { useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api.ts'
import { asProblem } from '../../lib/problem.ts'
import { PageNotLoaded } from '../../ui/page-not-loaded.tsx'
import { StandalonePage } from '../../ui/standalone-page.tsx'
import { ExpiredInvitation, InvalidInvitation } from './invalid-invitation.tsx'
import { JoinForm } from './join-form.tsx'
import { useTokenFromLink } from './use-token-from-link.ts'

export function InvitationPage() {
  const token = useTokenFromLink()
  const preview = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => api.previewInvitation(token),
    enabled: token !== '',
  })

  if (token === '') {
    return (
      <StandalonePage
        title="This link is incomplete"
        intro="Copy the complete invitation link, or ask for a new one."
      />
    )
  }
  if (preview.error) {
    const problem = asProblem(preview.error)
    if (problem.status === 403) return <InvalidInvitation />
    return (
      <PageNotLoaded
        title="The invitation couldn't be loaded"
        problem={problem}
        onRetry={() => void preview.refetch()}
      />
    )
  }
  if (!preview.data) return null
  if (preview.data.hasExpired) return <ExpiredInvitation invitation={preview.data} />
  return (
    <JoinForm
      key={token}
      token={token}
      invitation={preview.data}
      onInvalidLink={() => void preview.refetch()}
    />
  )
}
