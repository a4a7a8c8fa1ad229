import { useState } from 'react'
import { announce } from '../../../lib/announce.ts'
import { showNotification } from '../../../lib/notify.ts'
import { setPreference, usePreference } from '../../../lib/preferences.ts'
import { SwitchLine } from '../../../ui/switch-line.tsx'
import { findObstacle, notGranted } from './notification-obstacle.ts'

const onlyPush = 'This browser shows no notifications from open pages. Turn on push messages instead.'

const readObstacle = () => findObstacle('Notifications', 'Notification' in window)

/** The switch for notifications that the page itself shows while it is in the background. */
export function BrowserNotifications() {
  const preference = usePreference('browserNotifications')
  const [obstacle, setObstacle] = useState(readObstacle)
  const [isDismissed, setDismissed] = useState(false)
  const isOn = obstacle === undefined && preference === 'on'

  async function toggle() {
    // The browser prompts for permission; turn notifications on only if it is granted.
    if (!isOn && (await Notification.requestPermission()) !== 'granted') {
      const blocked = readObstacle()
      setObstacle(blocked)
      setDismissed(true)
      announce(blocked ?? notGranted)
      return
    }
    setDismissed(false)
    // The only way to find out whether the page can show notifications is to show one.
    if (!isOn && !showNotification('Notifications are on', { tag: 'handrail' })) {
      setObstacle(onlyPush)
      announce(onlyPush)
      return
    }
    setPreference('browserNotifications', isOn ? 'off' : 'on')
  }

  return (
    <section>
      <h2>While Handrail is open</h2>
      <SwitchLine
        label="Notifications from a background tab"
        description={
          obstacle ??
          (isDismissed
            ? notGranted
            : 'New urgent and high-priority tasks, and what is assigned or addressed to you. Only in this browser.')
        }
        checked={isOn}
        disabled={obstacle !== undefined}
        onChange={() => void toggle()}
      />
    </section>
  )
}
