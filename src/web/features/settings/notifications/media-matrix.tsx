import { type ReactNode, useId } from 'react'
import type { Notifications, Want } from '../../../../contract/notification.ts'
import { classes } from '../../../lib/classes.ts'
import { pluralize } from '../../../lib/count.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import { type Medium, media, wants } from './describe-notifications.ts'
import styles from './media-matrix.module.css'
import type { NotificationChoices } from './use-notification-choices.ts'

const columnTitles: Record<Want, string> = {
  urgent: 'Urgent',
  high: 'High',
  normal: 'Normal',
  low: 'Low',
  assigned: 'Assigned to me',
}
const rowTitles: Record<Medium, string> = { mail: 'Email', push: 'Push', slack: 'Slack' }

type Recipient = { email: string; emailVerified: boolean }

/** Why a medium does not reach the person, or undefined if it does. */
function obstacleOf(
  medium: Medium,
  { mail, push, slack }: Notifications,
  person: Recipient,
): string | undefined {
  if (medium === 'mail') {
    if (!mail.available) return "This service can't send email. Ask its operator to set SMTP_URL."
    return person.emailVerified ? undefined : 'Verify your address in Settings, Your account first.'
  }
  if (medium === 'push') return push.browsers.length > 0 ? undefined : 'Turn it on in a browser below first.'
  if (!slack.available) return "Your workspace isn't connected to Slack."
  return slack.linkedTo === undefined ? 'Link your Slack user below first.' : undefined
}

export function usableMedia(settings: Notifications, person: Recipient): Medium[] {
  return media.filter((medium) => obstacleOf(medium, settings, person) === undefined)
}

/** Where a medium that has no obstacle reaches the person. */
function destinationOf(medium: Medium, { push, slack }: Notifications, person: Recipient): ReactNode {
  if (medium === 'mail') return `To ${person.email}`
  if (medium === 'push') return `In ${pluralize(push.browsers.length, 'browser')}`
  return (
    <>
      As <bdi>{bidiSafe(slack.linkedTo ?? '')}</bdi>
    </>
  )
}

type Props = {
  settings: Notifications
  /** The id of the heading that names the table. */
  headingId: string
} & Pick<NotificationChoices, 'choices' | 'change'>

/**
 * The table of checkboxes that choose which tasks are sent by which medium. Each change is saved
 * immediately.
 */
export function MediaMatrix({ settings, headingId, choices, change }: Props) {
  const { me } = useWorkspace()
  const id = useId()
  return (
    <>
      <table className={styles.matrix} aria-labelledby={headingId}>
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">Sent by</span>
            </th>
            {wants.map((want) => (
              <th key={want} scope="col">
                {columnTitles[want]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {media.map((medium) => {
            const obstacle = obstacleOf(medium, settings, me.person)
            return (
              <tr key={medium} className={classes(obstacle !== undefined && styles.off)}>
                <th scope="row">
                  <span>{rowTitles[medium]}</span>
                  <small id={`${id}-${medium}-help`}>
                    {obstacle ?? destinationOf(medium, settings, me.person)}
                  </small>
                </th>
                {wants.map((want) => (
                  <td key={want}>
                    <label>
                      <input
                        type="checkbox"
                        aria-label={`${rowTitles[medium]} ${columnTitles[want]}`}
                        aria-describedby={
                          want === 'assigned' ? `${id}-assigned-help` : `${id}-${medium}-help`
                        }
                        checked={choices[medium].includes(want)}
                        disabled={obstacle !== undefined}
                        onChange={({ target }) =>
                          change({ [medium]: toggle(choices[medium], want, target.checked) })
                        }
                      />
                    </label>
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
      <p className={styles.help} id={`${id}-assigned-help`}>
        “Assigned to me” includes your groups, mentions, replies to your questions and reminders.
      </p>
    </>
  )
}

function toggle(chosen: Want[], want: Want, isChosen: boolean): Want[] {
  return wants.filter((other) => (other === want ? isChosen : chosen.includes(other)))
}
