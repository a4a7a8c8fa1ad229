import { setPreference, usePreference } from '../../../lib/preferences.ts'
import { ChoiceGroup } from '../../../ui/choice-group.tsx'

const choices = [
  ['off', 'Off'],
  [
    'on',
    'Urgent and high-priority tasks, and what concerns you',
    'While Handrail is open in a background tab: new urgent and high-priority tasks, replies to your questions, tasks assigned or escalated to you or your groups, mentions and reminders.',
  ],
] as const

export function BrowserNotifications() {
  const chosen = usePreference('browserNotifications')
  const isBlocked = !('Notification' in window) || Notification.permission === 'denied'

  async function choose(choice: string) {
    // The browser prompts for permission; turn notifications on only if it is granted.
    if (choice === 'on' && (await Notification.requestPermission()) !== 'granted') return
    setPreference('browserNotifications', choice)
  }

  return (
    <ChoiceGroup
      label="Browser notifications"
      value={isBlocked ? 'off' : chosen}
      options={choices}
      help={
        isBlocked
          ? 'Your browser blocks notifications from this site. Allow them in the browser settings first.'
          : undefined
      }
      onChoose={(choice) => !isBlocked && void choose(choice)}
    />
  )
}
