import { describe, expect, test } from 'vitest'
import type { ChooseNotifications } from '../../../../contract/notification.ts'
import { describeNotifications, media } from './describe-notifications.ts'

const quietHours = { from: '22:00', to: '07:00', timeZone: 'America/New_York', exceptUrgent: true }

function choices(change: Partial<ChooseNotifications> = {}): ChooseNotifications {
  return { mail: [], push: [], slack: [], ...change }
}

describe('the sentence above the notification settings', () => {
  test('says per priority what is sent, and which emails are collected', () => {
    const chosen = choices({
      mail: ['urgent', 'high', 'normal', 'low', 'assigned'],
      push: ['urgent', 'high', 'assigned'],
    })
    expect(describeNotifications(chosen, media)).toBe(
      'Urgent and high tasks: email and push immediately. Normal and low tasks: one email per hour. Tasks assigned to you: email and push immediately.',
    )
  })

  test('names what is sent immediately before the hourly email', () => {
    const chosen = choices({ mail: ['normal'], slack: ['normal'] })
    expect(describeNotifications(chosen, media)).toBe(
      'Urgent, high and low tasks: nothing. Normal tasks: Slack immediately, one email per hour.',
    )
  })

  test('is short if all new tasks are sent the same way', () => {
    const chosen = choices({ push: ['urgent', 'high', 'normal', 'low', 'assigned'] })
    expect(describeNotifications(chosen, media)).toBe(
      'New tasks: push immediately. Tasks assigned to you: push immediately.',
    )
    expect(describeNotifications(choices({ mail: ['assigned'] }), media)).toBe(
      'New tasks: nothing. Tasks assigned to you: email immediately.',
    )
  })

  test('leaves out media that do not reach the person', () => {
    const chosen = choices({ mail: ['urgent', 'assigned'], push: ['urgent'], quietHours })
    expect(describeNotifications(chosen, ['push'])).toContain('Urgent tasks: push immediately.')
    expect(describeNotifications(chosen, ['push'])).not.toContain('assigned')
    expect(describeNotifications(chosen, [])).toBe('Nothing about tasks is sent to you.')
  })

  test('says what quiet hours hold back, and until when', () => {
    const chosen = choices({ push: ['urgent'], quietHours })
    expect(describeNotifications(chosen, media)).toContain(
      'From 22:00 to 07:00 (America/New York), only urgent tasks are sent; what is still open follows at 07:00.',
    )
    const all = choices({ push: ['urgent'], quietHours: { ...quietHours, exceptUrgent: false } })
    expect(describeNotifications(all, media)).toContain(
      'nothing is sent; what is still open follows at 07:00.',
    )
    // Tasks that are not sent at all are not sent in quiet hours either.
    const normal = choices({ push: ['normal'], quietHours })
    expect(describeNotifications(normal, media)).toContain('nothing is sent; what is still open follows')
  })
})
