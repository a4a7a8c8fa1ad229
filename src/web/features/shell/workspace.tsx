import { Outlet, useParams } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { apiOf } from '../../lib/api.ts'
import { HereContext, useMe } from '../../lib/person.ts'
import { setPreference } from '../../lib/preferences.ts'
import { EntryFrame } from '../entry/entry-frame.tsx'
import { NotLoaded } from './not-loaded.tsx'
import { ShellKeys } from './shell-keys.tsx'

/** Everything under /w/<workspaceId>: knows who is here before anything is shown. */
export function Workspace() {
  const { workspaceId } = useParams({ from: '/w/$workspaceId' })
  const me = useMe()
  const isMember = me.data?.workspaces.some((workspace) => workspace.workspaceId === workspaceId) ?? false
  const here = useMemo(
    () => (me.data ? { me: me.data, workspaceId, api: apiOf(workspaceId) } : undefined),
    [me.data, workspaceId],
  )

  useEffect(() => {
    if (isMember) setPreference('workspace', workspaceId)
  }, [isMember, workspaceId])

  if (here && isMember) {
    return (
      // The key makes a switch of the workspace a fresh start: nothing of the other one stays.
      <HereContext key={workspaceId} value={here}>
        <Outlet />
        <ShellKeys />
      </HereContext>
    )
  }
  if (here) {
    return (
      <EntryFrame
        title="This workspace is not yours"
        lede={`You are signed in as ${here.me.person.email}, who is not a member of it. Ask one of its admins for an invitation, or sign in as someone else.`}
      />
    )
  }
  return <NotLoaded me={me} />
}
