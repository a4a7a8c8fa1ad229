import { setPreference, usePreference } from '../../../lib/preferences.ts'
import { ChoiceGroup } from '../../../ui/choice-group.tsx'

const choices = [
  ['off', 'Off'],
  ['on', 'Urgent and high', 'While Handrail is open in a tab that you do not look at.'],
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
      label="In this browser"
      value={isBlocked ? 'off' : chosen}
      options={choices}
      help={
        isBlocked
          ? 'This browser blocks notifications of this page. Allow them in its settings first.'
          : undefined
      }
      onChoose={(choice) => !isBlocked && void choose(choice)}
    />
  )
}
