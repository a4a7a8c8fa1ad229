import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../../lib/workspace.ts'
import { AnalysisPage } from './analysis-page.tsx'

const url = vi.hoisted(() => ({ search: {} }))
vi.mock('@tanstack/react-router', () => ({ Link: () => null, useSearch: () => url.search }))
vi.mock('../use-statistics.ts', () => ({
  useFilterOptions: () => ({
    isLoaded: true,
    pairs: [{ app: 'shop', type: 'refund' }].filter(() => hasAnswers),
  }),
}))
vi.mock('../../../parts/shell/nav.tsx', () => ({ Nav: () => null }))
vi.mock('./analysis-bar.tsx', () => ({ AnalysisBar: () => null }))
vi.mock('../app-and-type-list.tsx', () => ({ AppAndTypeList: () => null }))
let hasAnswers = true

test.each([
  [true, {}, undefined],
  [true, { app: 'old' }, /There are no answers of this app in the last 30 days\.$/],
  [true, { type: 'old' }, /There are no answers of this type in the last 30 days\.$/],
  [false, {}, /There are no answers in the last 30 days\.$/],
])('the page says which answers are missing, in a workspace with answers: %s, %o', (has, search, text) => {
  hasAnswers = has
  url.search = search
  render(
    <WorkspaceContext value={{ workspaceId: 'wsp_1' } as never}>
      <AnalysisPage />
    </WorkspaceContext>,
  )
  if (text) screen.getByText(text)
  else expect(screen.queryByText(/no answers/)).toBeNull()
})
