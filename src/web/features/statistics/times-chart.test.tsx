import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { TimesChart } from './times-chart.tsx'

vi.mock('@tanstack/react-router', () => ({ Link: () => null }))

test('answers that all took equally long are one bar of several, and one row of the table', async () => {
  const figures = {
    from: '2026-11-01T00:00:00.000Z',
    to: '2026-11-19T00:00:00.000Z',
    timesToAnswer: [{ fromSeconds: 0, toSeconds: 2, count: 4 }],
  } as never
  render(
    <WorkspaceContext value={{ me: {}, workspaceId: 'wsp_1', api: {} } as never}>
      <TimesChart figures={figures} filters={{} as never} />
    </WorkspaceContext>,
  )
  const bars = within(screen.getByRole('group', { name: 'Time to answer, bar by bar' })).getAllByRole('img')
  const labels = bars.map((bar) => bar.getAttribute('aria-label')?.replace(/\s/g, ' '))
  expect(labels.slice(0, 2)).toEqual(['under 2 s: 4 answers', '2 s to 4 s: 0 answers'])
  expect(bars).toHaveLength(8)
  await userEvent.click(screen.getByRole('button', { name: /View as table/ }))
  expect(screen.getAllByRole('row')).toHaveLength(2)
})
