import { Outlet, useLocation, useParams } from '@tanstack/react-router'
import { type ComponentType, Suspense, useEffect, useMemo, useState } from 'react'
import { apiOf } from '../../lib/api.ts'
import { setPreference } from '../../lib/preferences.ts'
import { useMe, WorkspaceContext } from '../../lib/workspace.ts'
import { onDemandPart } from '../../ui/lazy-part.tsx'
import { useAnswerSync } from '../answers/use-answer-sync.ts'
import { PersonNotLoaded } from './person-not-loaded.tsx'
import { ShellKeys } from './shell-keys.tsx'

const OtherAccount = onDemandPart(() => import('./other-account.tsx'))

type Props = {
  /**
   * Shown instead of a workspace that requires two-factor authentication, while the session has no
   * second factor.
   */
  twoFactorRequiredPage: ComponentType<{ isNeeded: boolean; onContinue: () => void }>
}

/** Everything under /w/<workspaceId>: loads the signed-in person before rendering the page. */
export function Workspace({ twoFactorRequiredPage: TwoFactorRequiredPage }: Props) {
  const { workspaceId } = useParams({ from: '/w/$workspaceId' })
  const href = useLocation({ select: ({ pathname, searchStr }) => pathname + searchStr })
  const me = useMe()
  const membership = me.data?.workspaces.find((workspace) => workspace.workspaceId === workspaceId)
  const isMember = membership !== undefined
  const needsTwoFactor = membership?.needsTwoFactor === true
  // `TwoFactorRequiredPage` stays until the person continues, because it shows the recovery codes after
  // two-factor authentication was set up.
  const [settingUpFor, setSettingUpFor] = useState<string>()
  if (needsTwoFactor && settingUpFor !== workspaceId) setSettingUpFor(workspaceId)
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
        {settingUpFor === workspaceId ? (
          <Suspense>
            <TwoFactorRequiredPage isNeeded={needsTwoFactor} onContinue={() => setSettingUpFor(undefined)} />
          </Suspense>
        ) : (
          <>
            <Outlet />
            <ShellKeys />
          </>
        )}
      </WorkspaceContext>
    )
  }
  if (session) {
    return (
      <Suspense>
        <OtherAccount
          title="You're not a member of this workspace"
          intro={`You're signed in as ${session.me.person.email}. Ask an admin of the workspace for an invitation, or use another account.`}
          to={href}
        />
      </Suspense>
    )
  }
  return <PersonNotLoaded me={me} />
}
