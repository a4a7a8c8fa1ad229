import { fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { BrowserNotifications } from './browser-notifications.tsx'

beforeEach(() => vi.stubGlobal('isSecureContext', true))
afterEach(() => {
  vi.unstubAllGlobals()
})

/** A browser whose person answers the prompt with this. */
function stubNotification(chosen: NotificationPermission, show: (title: string) => void = () => undefined) {
  class Stub {
    static permission = 'default'
    static async requestPermission() {
      Stub.permission = chosen
      return chosen
    }
    constructor(title: string) {
      show(title)
    }
  }
  vi.stubGlobal('Notification', Stub)
}

const theSwitch = () => screen.getByRole<HTMLInputElement>('switch')

test('whoever denies the permission reads at once that the browser blocks notifications', async () => {
  stubNotification('denied')
  render(<BrowserNotifications />)
  fireEvent.click(theSwitch())
  await screen.findByText(/^Your browser blocks notifications from this site\./)
  expect([theSwitch().checked, theSwitch().disabled]).toEqual([false, true])
})

test('whoever closes the prompt is told to try again, and can', async () => {
  stubNotification('default')
  render(<BrowserNotifications />)
  fireEvent.click(theSwitch())
  await screen.findByText(/Try again and choose Allow\./)
  stubNotification('granted')
  fireEvent.click(theSwitch())
  await screen.findByText(/^New urgent and high-priority tasks/)
  expect(theSwitch().checked).toBe(true)
  fireEvent.click(theSwitch())
  await vi.waitFor(() => expect(theSwitch().checked).toBe(false))
})

test('a browser that shows no notifications from pages says so, and the switch stays off', async () => {
  stubNotification('granted', () => {
    throw new TypeError('Illegal constructor')
  })
  render(<BrowserNotifications />)
  fireEvent.click(theSwitch())
  await screen.findByText(/Turn on push messages instead\.$/)
  expect([theSwitch().checked, theSwitch().disabled]).toEqual([false, true])
})

test('a page without https and a browser without notifications say so', () => {
  vi.stubGlobal('isSecureContext', false)
  const { unmount } = render(<BrowserNotifications />)
  screen.getByText('Notifications need a secure connection. Open Handrail with https.')
  unmount()
  vi.stubGlobal('isSecureContext', true)
  Reflect.deleteProperty(window, 'Notification')
  render(<BrowserNotifications />)
  screen.getByText("This browser doesn't support notifications.")
  expect(theSwitch().disabled).toBe(true)
})
