import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../../lib/workspace.ts'
import { PushBrowsers } from './push-browsers.tsx'

beforeEach(() => {
  vi.stubGlobal('isSecureContext', true)
  vi.stubGlobal('Notification', { permission: 'default' })
  vi.stubGlobal('PushManager', class {})
  Object.defineProperty(navigator, 'serviceWorker', {
    value: { getRegistration: async () => undefined },
    configurable: true,
  })
})
afterEach(() => {
  Reflect.deleteProperty(navigator, 'serviceWorker')
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

function open() {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={{ api: {}, workspaceId: 'wsp_1' } as never}>
        <PushBrowsers push={{ publicKey: 'BKey', browsers: [], wants: [] }} />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
}

test('a browser that can get push messages offers to turn them on', async () => {
  open()
  await screen.findByRole('button', { name: 'Turn on in this browser' })
})

test('a browser that blocks notifications says what to do', async () => {
  vi.stubGlobal('Notification', { permission: 'denied' })
  open()
  await screen.findByText(/^Your browser blocks notifications from this site\./)
  expect(screen.queryByRole('button')).toBeNull()
})

test('a browser without push messages says so', async () => {
  Reflect.deleteProperty(window, 'PushManager')
  open()
  await screen.findByText("This browser doesn't support push messages.")
})

test('Safari on an iPhone says that Handrail must be on the Home Screen', async () => {
  Reflect.deleteProperty(window, 'PushManager')
  const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/605'
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(iPhone)
  open()
  await screen.findByText(/^Add Handrail to your Home Screen first/)
})
