import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ConnectedApp } from '../../../contract/connected-app.ts'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { useRole } from '../../lib/role.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageFrame } from '../../ui/page-frame.tsx'
import recordsStyles from '../../ui/records.module.css'
import { AllowConnectedApps } from './allow-connected-apps.tsx'
import { ConnectedAppRow } from './connected-app-row.tsx'

export function ConnectedAppsPage() {
  const { api, workspaceId } = useWorkspace()
  const { isAtLeast } = useRole()
  const connectedApps = useQuery({
    queryKey: ['connected-apps', workspaceId],
    queryFn: ({ signal }) => api.connectedApps(signal),
  })
  return (
    <PageFrame
      title="Connected apps"
      intro="Apps that people connected by signing in, without an API key. They can send tasks and read the answers. They can never answer a task."
    >
      <Loaded query={connectedApps} subject="The connected apps">
        {({ allowed, apps }) => (
          <>
            <AllowConnectedApps allowed={allowed} count={apps.length} />
            {allowed && <Apps apps={apps} />}
          </>
        )}
      </Loaded>
      {isAtLeast('admin') && (
        <p className="above-16">
          The{' '}
          <Link className="link" to="/w/$workspaceId/settings/$page" params={{ workspaceId, page: 'audit' }}>
            audit log
          </Link>{' '}
          names the person and the app of every connection.
        </p>
      )}
    </PageFrame>
  )
}

function Apps({ apps }: { apps: ConnectedApp[] }) {
  const { api, me, workspaceId } = useWorkspace()
  const { isAtLeast } = useRole()
  const queryClient = useQueryClient()
  const [disconnecting, setDisconnecting] = useState<ConnectedApp>()
  const isYours = ({ connectedBy }: ConnectedApp) => connectedBy.userId === me.person.userId
  const list = (title: string, shown: ConnectedApp[], none: string) => (
    <section>
      <h2>{title}</h2>
      {shown.length === 0 ? (
        <p className="none-yet">{none}</p>
      ) : (
        <ul className={recordsStyles.records} aria-label={title}>
          {shown.map((app) => (
            <ConnectedAppRow
              key={app.grantId}
              app={app}
              isYours={isYours(app)}
              onDisconnect={() => setDisconnecting(app)}
            />
          ))}
        </ul>
      )}
    </section>
  )

  return (
    <>
      {list('Yours', apps.filter(isYours), "You haven't connected an app to this workspace.")}
      {isAtLeast('admin') &&
        list(
          "Other members'",
          apps.filter((app) => !isYours(app)),
          'No other member has connected an app.',
        )}
      {disconnecting && (
        <ConfirmDialog
          title={`Disconnect ${escapeBidi(disconnecting.name)}?`}
          description="The app loses access within five seconds. Its tasks are kept. To use it again, connect it again."
          confirmLabel="Disconnect"
          onConfirm={async () => {
            await api.disconnectApp(disconnecting.grantId)
            await queryClient.invalidateQueries({ queryKey: ['connected-apps', workspaceId] })
          }}
          onClose={() => setDisconnecting(undefined)}
        />
      )}
    </>
  )
}
