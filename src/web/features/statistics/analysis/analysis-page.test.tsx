import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../../lib/workspace.ts'
import { AnalysisPage } from './analysis-page.tsx'

const url = vi.hoisted(() => ({ search: {} }))
vi.mock('@tanstack/react-router', () => ({ Link: () => null, useSearch: () => url.search }))
vi.mock('../../../parts/shell/nav.tsx', () => ({ Nav: () => null }))
vi.mock('./analysis-bar.tsx', () => ({ AnalysisBar: () => null }))
vi.mock('../app-and-type-list.tsx', () => ({
  AppAndTypeList: ({ pairs }: { pairs: object[] }) => <p>{`${pairs.length} listed`}</p>,
}))

const refunds = { app: 'shop', type: 'refund' }
// Without filters, the service lists only the most frequent apps and types.
const rare = { app: 'rare', type: 'refund' }

test.each([
  [true, {}, undefined],
  [true, { app: 'rare' }, undefined],
  [true, { app: 'old' }, /There are no answers of this app in the last 30 days\.$/],
  [true, { type: 'old' }, /There are no answers of this type in the last 30 days\.$/],
  [false, {}, /There are no answers in the last 30 days\.$/],
])(
  'the page says which answers are missing, in a workspace with answers: %s, %o',
  async (hasAnswers, search, text) => {
    url.search = search
    const statistics = async ({ app, type }: { app?: string; type?: string }) => ({
      pairs: (app === undefined ? [refunds] : [refunds, rare]).filter(
        (pair) => hasAnswers && (app ?? pair.app) === pair.app && (type ?? pair.type) === pair.type,
      ),
    })
    render(
      <QueryClientProvider client={new QueryClient()}>
        <WorkspaceContext value={{ api: { statistics }, workspaceId: 'wsp_1' } as never}>
          <AnalysisPage />
        </WorkspaceContext>
      </QueryClientProvider>,
    )
    if (text) await screen.findByText(text)
    else {
      await screen.findByText('1 listed')
      expect(screen.queryByText(/no answers/)).toBeNull()
    }
  },
)
