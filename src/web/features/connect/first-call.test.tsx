import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import type { PropsWithChildren } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { FirstCall } from './first-call.tsx'

vi.mock('@tanstack/react-router', () => ({
  Link: ({ children }: PropsWithChildren) => <a href="/settings">{children}</a>,
}))
afterEach(cleanup)

test.each([
  ['member', 'Ask an admin for an API key.'],
  ['admin', 'Waiting for an API key.'],
])('without keys, the role %s reads "%s"', (role, text) => {
  const me = { workspaces: [{ workspaceId: 'acme', role }] }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={{ api: {}, me, workspaceId: 'acme' } as never}>
        <FirstCall
          createdKey={undefined}
          calledKey={undefined}
          hasKeys={false}
          onTestSent={() => undefined}
        />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  expect(screen.getByRole('status').textContent).toBe(text)
})
