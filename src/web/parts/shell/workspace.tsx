import { Outlet, useLocation, useParams } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { apiOf } from '../../lib/api.ts'
import { setPreference } from '../../lib/preferences.ts'
import { useMe, WorkspaceContext } from '../../lib/workspace.ts'
import { useAnswerSync } from '../answers/use-answer-sync.ts'
import { NotLoaded } from './not-loaded.tsx'
import { OtherAccount } from './other-account.tsx'
import { ShellKeys } from './shell-keys.tsx'

/** Everything under /w/<workspaceId>: loads the current user before rendering the page. */
export function Workspace() {
  const { workspaceId } = useParams({ from: '/w/$workspaceId' })
  const href = useLocation({ select: ({ pathname, searchStr }) => pathname + searchStr })
  const me = useMe()
  const isMember = me.data?.workspaces.some((workspace) => workspace.workspaceId === workspaceId) ?? false
  const session = useMemo(
    () => (me.data ? { me: me.data, workspaceId, api: apiOf(workspaceId) } : undefined),
    [me.data, workspaceId],
  )

  useAnswerSync(isMember ? me.data?.person : undefined)

  useEffect(() => {
    if (isMember) setPreference('workspace', workspaceId)
  }, [isMember, workspaceId])

  if (session && isMember) {
    return (
      // The key remounts everything on a workspace switch, so no state carries over.
      <WorkspaceContext key={workspaceId} value={session}>
        <Outlet />
        <ShellKeys />
      </WorkspaceContext>
    )
  }
  if (session) {
    return (
      <OtherAccount
        title="You're not a member of this workspace"
        intro={`You're signed in as ${session.me.person.email}. Ask an admin of the workspace for an invitation, or use another account.`}
        to={href}
      />
    )
  }
  return <NotLoaded me={me} />
}
