import type { ChooseNotifications, QuietHours, Want } from '../../../../contract/notification.ts'
import { formatList } from '../../../lib/format-list.ts'

export type Medium = 'mail' | 'push' | 'slack'
export const media: readonly Medium[] = ['mail', 'push', 'slack']

/** All values of `Want`. Importing them from the contract would bundle the schema library. */
export const wants: readonly Want[] = ['urgent', 'high', 'normal', 'low', 'assigned']

const priorities = wants.filter((want) => want !== 'assigned')
const mediumNames: Record<Medium, string> = { mail: 'email', push: 'push', slack: 'Slack' }

/** What is sent to the person, in sentences. `usable`: the media that reach the person. */
export function describeNotifications(choices: ChooseNotifications, usable: readonly Medium[]): string {
  const mediaOf = (want: Want) => usable.filter((medium) => choices[medium].includes(want))
  if (wants.every((want) => mediaOf(want).length === 0)) return 'Nothing about tasks is sent to you.'
  const sentences = [...describePriorities(mediaOf)]
  const assigned = mediaOf('assigned')
  // Without a medium for assigned tasks, these are sent like other new tasks of their priority.
  if (assigned.length > 0) sentences.push(`Tasks assigned to you: ${describeMedia('assigned', assigned)}.`)
  if (choices.quietHours) {
    const isUrgentSent = mediaOf('urgent').length + mediaOf('assigned').length > 0
    sentences.push(describeQuietHours(choices.quietHours, isUrgentSent))
  }
  return sentences.join(' ')
}

/** One sentence per group of priorities that are sent the same way. */
function describePriorities(mediaOf: (want: Want) => Medium[]): string[] {
  const byMedia = new Map<string, Want[]>()
  for (const priority of priorities) {
    const how = describeMedia(priority, mediaOf(priority))
    byMedia.set(how, [...(byMedia.get(how) ?? []), priority])
  }
  return [...byMedia].map(([how, sent]) => {
    if (sent.length === priorities.length) return `New tasks: ${how}.`
    const names = formatList(sent)
    return `${names.charAt(0).toUpperCase()}${names.slice(1)} tasks: ${how}.`
  })
}

/** The service collects emails about new tasks of normal and low priority for an hour. */
function describeMedia(want: Want, chosen: Medium[]): string {
  if (chosen.length === 0) return 'nothing'
  const isCollected = want === 'normal' || want === 'low'
  const immediate = chosen.filter((medium) => !(isCollected && medium === 'mail'))
  const parts =
    immediate.length > 0 ? [`${formatList(immediate.map((medium) => mediumNames[medium]))} immediately`] : []
  return [...parts, ...(immediate.length < chosen.length ? ['one email per hour'] : [])].join(', ')
}

function describeQuietHours({ from, to, timeZone, exceptUrgent }: QuietHours, isUrgentSent: boolean): string {
  const sent = exceptUrgent && isUrgentSent ? 'only urgent tasks are sent' : 'nothing is sent'
  return `From ${from} to ${to} (${readTimeZone(timeZone)}), ${sent}; what is still open follows at ${to}.`
}

/** "America/New_York" becomes "America/New York". */
export function readTimeZone(timeZone: string): string {
  return timeZone.replaceAll('_', ' ')
}
