import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { AnalysisAside } from './analysis-aside.tsx'

vi.mock('@tanstack/react-router', () => ({
  Link: ({ children }: { children: ReactNode }) => <a href="/analysis">{children}</a>,
}))
vi.mock('./use-statistics.ts', () => ({ useActionsOf: () => undefined }))

const run = {
  analysisId: 'ana_1',
  app: 'books',
  type: 'review',
  status: 'running',
  isCancelled: false,
  progress: { tasksRead: 2, tasksToRead: 5 },
  periodStart: '2026-10-15T12:00:00.000Z',
  periodEnd: '2026-11-14T12:00:00.000Z',
}

test('a running analysis shows its progress and can be cancelled, and the focus goes to the button that starts one', async () => {
  let stored = run
  const api = {
    analyses: async () => ({ analyses: [stored], nextCursor: null }),
    analysis: () => new Promise(() => undefined),
    cancelAnalysis: async () => (stored = { ...run, status: 'failed', isCancelled: true }),
    startAnalysis: vi.fn(async () => (stored = { ...run, status: 'completed', tooFew: true } as never)),
  }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={{ api, workspaceId: 'wsp_1' } as never}>
        <AnalysisAside
          filters={{ app: 'books', type: 'review' }}
          range={{ from: '2026-10-15', to: '2026-11-14' }}
        />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  await screen.findByText('Reading answers: 2 of 5.')
  expect(screen.getByRole('progressbar').getAttribute('value')).toBe('2')
  const start = screen.getByRole('button', { name: 'Analyze feedback' })
  expect(start.getAttribute('aria-disabled')).toBe('true')
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(document.activeElement).toBe(start)
  await screen.findByText('The analysis was cancelled before it finished.')
  expect(screen.queryByText('Failed')).toBeNull()
  expect(screen.queryByText(/^No analysis yet/)).toBeNull()

  await userEvent.click(start)
  await screen.findByText('Too few answers')
  expect(api.startAnalysis).toHaveBeenCalledWith({ app: 'books', type: 'review' })
})
