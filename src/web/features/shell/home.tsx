import { Navigate } from '@tanstack/react-router'
import { useMe } from '../../lib/person.ts'
import { preference } from '../../lib/preferences.ts'
import { EntryFrame } from '../entry/entry-frame.tsx'
import { NotLoaded } from './not-loaded.tsx'

/** `/`: on to the inbox of the workspace used last. */
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
      <EntryFrame
        title="No workspace yet"
        lede="You belong to no workspace. Ask an admin for an invitation."
      />
    )
  }
  return <NotLoaded me={me} />
}
