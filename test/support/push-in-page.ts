import type { CDPSession, Page, Worker } from 'playwright-core'
import { vi } from 'vitest'
import { waitOptions } from './wait-options.ts'

type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } }

/**
 * Replaces what needs a vendor's server: the browser's push service gives out this subscription.
 * Everything else is real: the service worker, its registration, permissions and notifications.
 */
export async function subscribeWith(page: Page, subscription: Subscription): Promise<void> {
  await page.addInitScript((given) => {
    const stored = 'test.applicationServerKey'
    const fake = (key: string) => ({
      endpoint: given.endpoint,
      options: { applicationServerKey: bytesOf(key).buffer },
      toJSON: () => given,
      unsubscribe: async () => {
        localStorage.removeItem(stored)
        return true
      },
    })
    const bytesOf = (base64Url: string) =>
      Uint8Array.from(atob(base64Url.replaceAll('-', '+').replaceAll('_', '/')), (char) => char.charCodeAt(0))
    Object.assign(PushManager.prototype, {
      subscribe: async ({ applicationServerKey }: { applicationServerKey: string }) => {
        // As browsers do: there is only one subscription, and it belongs to one key.
        const current = localStorage.getItem(stored)
        if (current !== null && current !== applicationServerKey)
          throw new DOMException('', 'InvalidStateError')
        localStorage.setItem(stored, applicationServerKey)
        return fake(applicationServerKey)
      },
      getSubscription: async () => {
        const key = localStorage.getItem(stored)
        return key === null ? null : fake(key)
      },
    })
  }, subscription)
}

/**
 * Gives a message to the service worker like the browser does when its push service sends one, and
 * waits until the notification is shown. Nothing may list notifications in between: Chromium then
 * sometimes removes the one that it is about to show.
 */
export async function deliverPush(page: Page, payload: unknown): Promise<void> {
  const worker = page.context().serviceWorkers().at(-1)
  if (!worker) throw new Error('The page has no service worker.')
  const shown = await worker.evaluateHandle(() => {
    const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration }
    const promise = new Promise<void>((resolve, reject) => {
      registration.showNotification = (...given) => {
        Reflect.deleteProperty(registration, 'showNotification')
        const showing = registration.showNotification(...given)
        showing.then(resolve, reject)
        return showing
      }
    })
    return { promise }
  })
  const debug = await page.context().newCDPSession(page)
  const registrationId = await findRegistration(debug)
  const data = typeof payload === 'string' ? payload : JSON.stringify(payload)
  await debug.send('ServiceWorker.deliverPushMessage', {
    origin: new URL(page.url()).origin,
    registrationId,
    data,
  })
  await debug.detach()
  await shown.evaluate(({ promise }) => promise)
}

/** The newest: those of earlier visits are still listed for a while. */
async function findRegistration(debug: CDPSession): Promise<string> {
  const found = new Promise<string>((resolve) => {
    debug.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const ids = registrations.filter(({ isDeleted }) => !isDeleted).map((one) => Number(one.registrationId))
      if (ids.length > 0) resolve(String(Math.max(...ids)))
    })
  })
  await debug.send('ServiceWorker.enable')
  return await found
}

/** Leaves the app, and waits until the service worker no longer sees a window of it. */
export async function leave(page: Page, knownWorker?: Worker): Promise<void> {
  const worker = knownWorker ?? (await findWorker(page))
  await page.goto('about:blank')
  await vi.waitFor(async () => {
    const windows = await worker.evaluate(async () => {
      const { clients } = globalThis as unknown as {
        clients: { matchAll(options: object): Promise<unknown[]> }
      }
      return (await clients.matchAll({ type: 'window', includeUncontrolled: true })).length
    })
    if (windows > 0) throw new Error('The window is still open.')
  }, waitOptions)
}

/** The worker that has shown the notification. Playwright still lists those of earlier visits. */
async function findWorker(page: Page): Promise<Worker> {
  return await vi.waitFor(async () => {
    for (const worker of page.context().serviceWorkers().toReversed()) {
      const hasNotification = worker.evaluate(async () => {
        const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration }
        return (await registration.getNotifications()).length > 0
      })
      if (await hasNotification) return worker
    }
    throw new Error('No service worker has shown a notification.')
  }, waitOptions)
}

type Shown = { title: string; body: string; tag: string; path: string }

export function shownNotifications(page: Page): Promise<Shown[]> {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready
    const notifications = await registration.getNotifications()
    return notifications.map(({ title, body, tag, data }) => ({ title, body, tag, path: data.path }))
  })
}

/** In the data of a message. They must not lead outside the app. */
export const pathsOutside = ['//evil.example/', '/../../outside', 'https://evil.example/', '@evil.example/']

/**
 * Clicks the notification with this tag, by default the only one. Resolves to the URL of a new
 * window, which is recorded instead of opened.
 */
export async function clickNotification(page: Page, tag = ''): Promise<string | undefined> {
  return await click(await findWorker(page), { tag })
}

/** The same in the headless shell, which shows no notifications: of one that leads to this path. */
export async function clickUnshown(worker: Worker, path: string): Promise<string | undefined> {
  return await click(worker, { unshown: { path } })
}

type Clicked = { tag?: string; unshown?: { path: string } }

function click(worker: Worker, clicked: Clicked): Promise<string | undefined> {
  return worker.evaluate(async ({ tag, unshown }) => {
    // biome-ignore lint/suspicious/noExplicitAny: the types of service workers conflict with those of pages
    const self = globalThis as any
    const notification = unshown
      ? { data: unshown, close: () => undefined }
      : (await self.registration.getNotifications({ tag }))[0]
    let opened: string | undefined
    self.clients.openWindow = async (url: string) => {
      opened = url
    }
    // The test may not focus a window, because nobody has clicked.
    self.WindowClient.prototype.focus = async () => undefined
    const done: Promise<unknown>[] = []
    const waitUntil = (promise: Promise<unknown>) => done.push(promise)
    self.dispatchEvent(
      Object.assign(new self.ExtendableEvent('notificationclick'), { notification, waitUntil }),
    )
    await Promise.all(done)
    return opened
  }, clicked)
}
