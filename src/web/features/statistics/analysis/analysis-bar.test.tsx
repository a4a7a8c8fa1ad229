import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../../lib/workspace.ts'
import { AnalysisBar } from './analysis-bar.tsx'

const navigate = vi.hoisted(() => vi.fn())
vi.mock('@tanstack/react-router', () => ({ Link: () => null, useNavigate: () => navigate }))
vi.mock('../use-statistics.ts', () => ({ useFilterOptions: () => ({ pairs: [], apps: [], types: [] }) }))

test.each([true, false])(
  '"Analyze again" leaves an earlier run only if it starts one, busy: %s',
  async (isBusy) => {
    navigate.mockClear()
    const analyze = vi.fn()
    const runs = [{ analysisId: 'ana_1', status: 'failed', createdAt: '2026-11-12T16:20:00.000Z' }]
    render(
      <WorkspaceContext value={{ workspaceId: 'wsp_1' } as never}>
        <AnalysisBar
          appAndType={{ app: 'shop', type: 'refund' }}
          analyses={{ runs, isBusy, analyze, analyzeButton: { current: null } } as never}
          shownId="ana_1"
        />
      </WorkspaceContext>,
    )
    await userEvent.click(screen.getByRole('button', { name: 'Analyze again' }))
    expect(analyze).toHaveBeenCalledTimes(isBusy ? 0 : 1)
    expect(navigate).toHaveBeenCalledTimes(isBusy ? 0 : 1)
  },
)
