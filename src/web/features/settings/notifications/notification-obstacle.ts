/** Shown if the person closed the browser's prompt without a choice. */
export const notGranted = "Handrail didn't get permission. Try again and choose Allow."

/**
 * Why this browser can't show notifications, or undefined. `name`: what the text calls them, such
 * as "Push messages".
 */
export function findObstacle(name: string, isSupported: boolean): string | undefined {
  if (!window.isSecureContext) return `${name} need a secure connection. Open Handrail with https.`
  if (!isSupported) return `This browser doesn't support ${name.toLowerCase()}.`
  if (Notification.permission === 'denied')
    return 'Your browser blocks notifications from this site. Allow them in the browser settings first.'
  return undefined
}
