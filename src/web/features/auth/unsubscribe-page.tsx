import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { MailX } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../lib/api.ts'
import { asProblem } from '../../lib/problem.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { PageNotLoaded } from '../../ui/page-not-loaded.tsx'
import { StandalonePage } from '../../ui/standalone-page.tsx'
import { AuthForm } from './auth-form.tsx'
import { useSignedOutForm } from './use-signed-out-form.ts'

/**
 * The page of the link at the end of emails about tasks. It has a button, because merely opening
 * the link must not change anything.
 */
export function UnsubscribePage() {
  const { token } = useParams({ from: '/unsubscribe/$token' })
  const [isDone, setDone] = useState(false)
  const preview = useQuery({
    queryKey: ['unsubscribe', token],
    queryFn: () => api.previewUnsubscribe(token),
  })
  const form = useSignedOutForm(async () => {
    await api.unsubscribe(token)
    setDone(true)
  })
  if (preview.error) {
    const problem = asProblem(preview.error)
    if (problem.status === 403)
      return <StandalonePage icon={MailX} title="This link doesn't work" intro={problem.detail} />
    return <PageNotLoaded problem={problem} onRetry={() => void preview.refetch()} />
  }
  if (!preview.data) return null
  const { workspaceId, workspaceName, email, isOn } = preview.data
  if (isDone || !isOn) {
    return (
      <StandalonePage
        title="Emails are turned off"
        intro={
          <>
            <bdi>{bidiSafe(email)}</bdi> gets no more emails about tasks in{' '}
            <bdi>{bidiSafe(workspaceName)}</bdi>.
          </>
        }
      >
        <Link
          className="btn full"
          to="/w/$workspaceId/settings/$page"
          params={{ workspaceId, page: 'notifications' }}
        >
          Notification settings
        </Link>
      </StandalonePage>
    )
  }
  return (
    <StandalonePage
      title="Turn off emails?"
      intro={
        <>
          <bdi>{bidiSafe(email)}</bdi> will get no more emails about tasks in{' '}
          <bdi>{bidiSafe(workspaceName)}</bdi>. You can turn them on again in Settings, Notifications.
        </>
      }
    >
      <AuthForm
        form={form}
        failureMessage="Emails weren't turned off."
        submitLabel="Turn off emails"
        submittingLabel="Turning off…"
      />
    </StandalonePage>
  )
}
