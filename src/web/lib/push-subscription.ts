import type { MemberClient } from '../../client/member.ts'
import type { AddPushBrowser } from '../../contract/notification.ts'
import { apiOf } from './api.ts'
import { basePath } from './base-path.ts'
import { trustedScriptUrl } from './trusted-script-url.ts'

/** Whether this browser can get push messages, and if not, why. */
export type PushSupport = 'supported' | 'home-screen-only' | 'needs-https' | 'unsupported'

export function pushSupport(): PushSupport {
  if (!window.isSecureContext) return 'needs-https'
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window) return 'supported'
  // An iPad calls itself a Mac, but has a touch screen.
  const isMobileApple =
    /\b(iPhone|iPad)\b/.test(navigator.userAgent) ||
    (/\bMacintosh\b/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
  return isMobileApple ? 'home-screen-only' : 'unsupported'
}

/**
 * Asks the browser's push service for a subscription. A subscription for another key is replaced,
 * because Handrail could not send messages to it.
 */
export async function subscribeBrowser(publicKey: string): Promise<AddPushBrowser> {
  const scope = `${basePath}/`
  await navigator.serviceWorker.register(trustedScriptUrl(`${scope}service-worker.js`), { scope })
  const { pushManager } = await navigator.serviceWorker.ready
  const current = await pushManager.getSubscription()
  if (current && !isFor(current, publicKey)) await current.unsubscribe()
  return toPushBrowser(
    await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }),
  )
}

function toPushBrowser(subscription: PushSubscription): AddPushBrowser {
  const { endpoint, keys } = subscription.toJSON()
  return { endpoint: endpoint!, keys: { p256dh: keys!.p256dh!, auth: keys!.auth! } }
}

/**
 * The digest of this browser's subscription for this key, or null if it has none. Compare it with
 * `endpointDigest` in the service's list to find this browser.
 */
export async function findEndpointDigest(publicKey: string): Promise<string | null> {
  const subscription = await findSubscription()
  return subscription && isFor(subscription, publicKey) ? await digestOf(subscription) : null
}

/**
 * Stops push messages to this browser from all these workspaces. Call it before signing out,
 * because it needs the session. If a workspace can't be reached, its messages fail after
 * `unsubscribeBrowser`. Returns a function that turns the messages on again, in case the person
 * stays signed in.
 */
export async function stopPushMessages(workspaceIds: string[]): Promise<() => Promise<unknown>> {
  const subscription = await findSubscription()
  if (!subscription) return async () => undefined
  const digest = await digestOf(subscription)
  const stopped: MemberClient[] = []
  const removed = workspaceIds.map(async (workspaceId) => {
    const api = apiOf(workspaceId)
    const { push } = await api.notifications()
    const thisBrowser = push.browsers.find(({ endpointDigest }) => endpointDigest === digest)
    if (!thisBrowser) return
    await api.removePushBrowser(thisBrowser.subscriptionId)
    stopped.push(api)
  })
  await Promise.allSettled(removed)
  return () => Promise.allSettled(stopped.map((api) => api.addPushBrowser(toPushBrowser(subscription))))
}

/** Afterwards the push service refuses messages to this browser. */
export async function unsubscribeBrowser(): Promise<void> {
  await (await findSubscription())?.unsubscribe()
}

async function digestOf({ endpoint }: PushSubscription): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

async function findSubscription(): Promise<PushSubscription | null> {
  if (pushSupport() !== 'supported') return null
  const registration = await navigator.serviceWorker.getRegistration(`${basePath}/`)
  return (await registration?.pushManager.getSubscription()) ?? null
}

function isFor({ options }: PushSubscription, publicKey: string): boolean {
  const key = options.applicationServerKey
  if (!key) return false
  const base64 = btoa(String.fromCharCode(...new Uint8Array(key)))
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') === publicKey
}
