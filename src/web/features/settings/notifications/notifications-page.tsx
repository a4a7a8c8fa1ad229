import { useQuery } from '@tanstack/react-query'
import { useWorkspace } from '../../../lib/workspace.ts'
import { Loaded } from '../../../ui/loaded.tsx'
import { PageFrame } from '../../../ui/page-frame.tsx'
import { BrowserNotifications } from './browser-notifications.tsx'
import { ChatNotifications } from './chat-notifications.tsx'
import { MailNotifications } from './mail-notifications.tsx'

export function NotificationsPage() {
  const { api, workspaceId } = useWorkspace()
  const notifications = useQuery({
    queryKey: ['notifications', workspaceId],
    queryFn: ({ signal }) => api.notifications(signal),
  })
  return (
    <PageFrame
      title="Notifications"
      intro="Choose how you hear about tasks. A notification links to its task; you can't answer from it."
    >
      <BrowserNotifications />
      <Loaded query={notifications} subject="The notification settings">
        {(settings) => (
          <>
            <MailNotifications notifications={settings} />
            <ChatNotifications key={settings.chat?.host ?? ''} chat={settings.chat} />
          </>
        )}
      </Loaded>
    </PageFrame>
  )
}
