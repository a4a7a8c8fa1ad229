// Shows push messages and opens their task. It has no fetch handler and no cache: every page and
// every task comes from the service.

const fallback = { title: 'A task is waiting', body: '', path: '/', tag: 'handrail' }

// A new version takes over at once: no page depends on the old one.
self.addEventListener('install', () => self.skipWaiting())

self.addEventListener('push', (event) => {
  const { title, body, path, tag } = { ...fallback, ...readPayload(event.data) }
  event.waitUntil(
    self.registration.showNotification(title, {
      body,
      // A later message about the same task replaces the earlier one, and alerts again.
      tag,
      renotify: true,
      icon: './icon-192.png',
      // Android shows only its shape, in the status bar.
      badge: './badge-96.png',
      data: { path },
    }),
  )
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openPage(event.notification.data?.path))
})

// Browsers require a notification for every push message, also for one that cannot be read.
function readPayload(data) {
  try {
    const payload = data.json()
    const texts = Object.keys(fallback).filter((name) => typeof payload[name] === 'string')
    return Object.fromEntries(texts.map((name) => [name, payload[name]]))
  } catch {
    return {}
  }
}

/** In a window of this app that is already open, or in a new one. */
async function openPage(path) {
  const { scope } = self.registration
  const url = urlBelowScope(path, scope)
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const ours = windows.filter((client) => client.url.startsWith(scope))
  const open = ours.find((client) => client.url === url) ?? ours[0]
  if (!open) return await self.clients.openWindow(url)
  // The page navigates by itself, so that unsent answers and drafts survive.
  open.postMessage({ type: 'open', path: url.slice(scope.length - 1) })
  await open.focus()
}

/** Anything but a path of this app leads to its start page. */
function urlBelowScope(path, scope) {
  try {
    const url = new URL(`.${path}`, scope).href
    return url.startsWith(scope) ? url : scope
  } catch {
    return scope
  }
}
