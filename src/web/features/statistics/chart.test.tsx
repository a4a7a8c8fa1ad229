import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { formatPercent } from '../../lib/numbers.ts'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { Chart } from './chart.tsx'

afterEach(() => {
  vi.restoreAllMocks()
})

const data = {
  columns: [{ name: 'Reason' }, { name: 'Times' }, { name: 'Share', format: formatPercent }],
  rows: [
    ['=HYPERLINK("x")', 1_284, 0.142],
    ['late, very', null, 1],
  ],
}

function show() {
  const session = { me: {}, workspaceId: 'wsp_1', api: {} } as never
  render(
    <WorkspaceContext value={session}>
      <Chart title="Top reasons" name="Top reasons" summary="Most came late." data={data}>
        <p>The picture</p>
      </Chart>
    </WorkspaceContext>,
  )
}

test('a chart shows its summary, and its numbers as a table instead of the graphic', async () => {
  show()
  const chart = screen.getByRole('region', { name: 'Top reasons' })
  within(chart).getByText('Most came late.')
  const toggle = screen.getByRole('button', { name: /View as table.*Top reasons/ })
  expect(screen.queryByRole('table')).toBeNull()

  await userEvent.click(toggle)
  expect(toggle.getAttribute('aria-pressed')).toBe('true')
  expect(screen.queryByText('The picture')).toBeNull()
  const cells = screen.getAllByRole('cell').map((cell) => cell.textContent)
  expect(cells).toEqual(['=HYPERLINK("x")', '1,284', '14.2\u00a0%', 'late, very', '–', '100\u00a0%'])

  await userEvent.click(toggle)
  screen.getByText('The picture')
})

test('its CSV file contains the same numbers and no formulas', async () => {
  const saved: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    saved.push(blob as Blob)
    return 'blob:nowhere'
  })
  const names: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download)
  })
  show()
  await userEvent.click(screen.getByRole('button', { name: /CSV.*Top reasons/ }))
  expect(names).toEqual(['top-reasons.csv'])
  expect(await saved[0]?.text()).toBe(
    'Reason,Times,Share\r\n"\'=HYPERLINK(""x"")",1284,0.142\r\n"late, very",,1',
  )
})
