import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import type { Notifications } from '../../../../contract/notification.ts'
import { asProblem } from '../../../lib/problem.ts'
import { useAnnounceAfterPause } from '../../../lib/use-announce-after-pause.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { Loaded } from '../../../ui/loaded.tsx'
import { PageFrame } from '../../../ui/page-frame.tsx'
import { ProblemStrip } from '../../../ui/strip.tsx'
import { BrowserNotifications } from './browser-notifications.tsx'
import { ChatNotifications } from './chat-notifications.tsx'
import { describeNotifications } from './describe-notifications.ts'
import { MediaMatrix, usableMedia } from './media-matrix.tsx'
import styles from './notifications-page.module.css'
import { PushBrowsers } from './push-browsers.tsx'
import { QuietHoursSettings } from './quiet-hours.tsx'
import { SlackLink } from './slack-link.tsx'
import { TestMail } from './test-mail.tsx'
import { useNotificationChoices } from './use-notification-choices.ts'

export function NotificationsPage() {
  const { api, workspaceId } = useWorkspace()
  const notifications = useQuery({
    queryKey: ['notifications', workspaceId],
    queryFn: ({ signal }) => api.notifications(signal),
  })
  return (
    <PageFrame title="Notifications" intro="How you hear about tasks.">
      <Loaded query={notifications} subject="The notification settings">
        {(settings) => (
          <div className={styles.page}>
            <PersonalMedia settings={settings} />
            <PushBrowsers push={settings.push} />
            <BrowserNotifications />
            <SlackLink slack={settings.slack} />
            <ChatNotifications chat={settings.chat} />
          </div>
        )}
      </Loaded>
    </PageFrame>
  )
}

/** Describes in sentences what is sent to the person, above the settings that decide it. */
function PersonalMedia({ settings }: { settings: Notifications }) {
  const { me } = useWorkspace()
  const headingId = useId()
  const { choices, change, error } = useNotificationChoices(settings)
  const usable = usableMedia(settings, me.person)
  const description = describeNotifications(choices, usable)
  useAnnounceAfterPause(description)
  return (
    <>
      <p className={styles.description}>{description}</p>
      <section>
        <h2 id={headingId}>What is sent to you</h2>
        <p>Changes are saved immediately.</p>
        <MediaMatrix settings={settings} headingId={headingId} choices={choices} change={change} />
        {error && <ProblemStrip message="The setting wasn't saved." problem={asProblem(error)} />}
        {usable.includes('mail') && <TestMail />}
      </section>
      <QuietHoursSettings quietHours={choices.quietHours} onChange={(quietHours) => change({ quietHours })} />
    </>
  )
}
