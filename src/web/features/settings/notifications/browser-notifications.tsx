import { setPreference, usePreference } from '../../../lib/preferences.ts'
import { SwitchLine } from '../../../ui/switch-line.tsx'

/** Notifications that the page itself shows. */
export function BrowserNotifications() {
  const chosen = usePreference('browserNotifications')
  const isBlocked = !('Notification' in window) || Notification.permission === 'denied'
  const isOn = !isBlocked && chosen === 'on'

  async function toggle() {
    // The browser prompts for permission; turn notifications on only if it is granted.
    if (!isOn && (await Notification.requestPermission()) !== 'granted') return
    setPreference('browserNotifications', isOn ? 'off' : 'on')
  }

  return (
    <section>
      <h2>While Handrail is open</h2>
      <SwitchLine
        label="Notify me from a background tab"
        description={
          isBlocked
            ? 'Your browser blocks notifications from this site. Allow them in the browser settings first.'
            : 'New urgent and high-priority tasks, and what is assigned to me. Only in this browser.'
        }
        checked={isOn}
        disabled={isBlocked}
        onChange={() => void toggle()}
      />
    </section>
  )
}
