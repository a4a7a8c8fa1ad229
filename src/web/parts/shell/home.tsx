import { Navigate } from '@tanstack/react-router'
import { Suspense } from 'react'
import { preference } from '../../lib/preferences.ts'
import { useMe } from '../../lib/workspace.ts'
import { onDemandPart } from '../../ui/lazy-part.tsx'
import { PersonNotLoaded } from './person-not-loaded.tsx'

const OtherAccount = onDemandPart(() => import('./other-account.tsx'))

/** `/`: redirects to the inbox of the last used workspace. */
export function Home() {
  const me = useMe()
  if (me.data) {
    const { workspaces } = me.data
    const last =
      workspaces.find(({ workspaceId }) => workspaceId === preference('workspace')) ?? workspaces[0]
    if (last) {
      return <Navigate to="/w/$workspaceId/inbox" params={{ workspaceId: last.workspaceId }} replace />
    }
    return (
      <Suspense>
        <OtherAccount
          title="No workspace"
          intro={`You're signed in as ${me.data.person.email}, but you aren't a member of any workspace. Ask an admin for an invitation, or use another account.`}
        />
      </Suspense>
    )
  }
  return <PersonNotLoaded me={me} />
}
