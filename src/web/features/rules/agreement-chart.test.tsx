import { render, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { agreementAtLeast } from '../../../contract/rules/agreement-bound.ts'
import { AgreementChart } from './agreement-chart.tsx'

function show(length: number, disagreements: number[], state: 'active' | 'ended' = 'active') {
  const judged = Array.from({ length }, (_, n) => ({
    at: '2026-11-12T16:20:00.000Z',
    agrees: !disagreements.includes(n + 1),
  }))
  const agreed = length - disagreements.length
  const samples = { open: 0, answered: length, agreed, atLeast: agreementAtLeast(agreed, length) }
  return render(<AgreementChart rule={{ state, judged, samples, allowedDisagreement: 0.02 }} />).container
}

test('the chart has a ring per disagreement, a line at what is allowed, and the numbers as a table', () => {
  const page = show(132, [62, 119])
  expect(page.textContent?.replaceAll('\u00a0', ' ')).toContain(
    'People agreed in 130 of 132 samples: 98.5 % (with 95 % confidence, at least 95.3 %).',
  )
  screen.getByRole('img', { name: 'Agreement after samples 10 to 132, with its lower 95 % bound' })
  expect(page.querySelectorAll('circle.disagreement')).toHaveLength(2)
  expect(page.textContent?.replaceAll('\u00a0', ' ')).toContain('Lowest allowed: 98 %')
  const rows = within(screen.getByRole('table')).getAllByRole('row')
  expect(rows.map((row) => row.firstChild?.textContent)).toEqual(['Samples', '62', '119', '132'])
  screen.getByText('Agreement at each disagreement in the chart and now')
})

test('the table of a chart with many disagreements says that it lists only the latest', () => {
  show(
    40,
    Array.from({ length: 40 }, (_, n) => n + 1),
  )
  expect(within(screen.getByRole('table')).getAllByRole('row')).toHaveLength(31)
  screen.getByText('Agreement at the latest disagreements and now')
})

test('the label of a chart with one sample names that sample', () => {
  show(1, [])
  screen.getByRole('img', { name: 'Agreement after sample 1, with its lower 95 % bound' })
})

test('the line stays inside the plot', () => {
  const page = show(59, [45, 50, 54, 59])
  const coordinates = [...page.querySelectorAll('polyline')].flatMap((line) =>
    (line.getAttribute('points') ?? '').split(/[ ,]/).map(Number),
  )
  expect(coordinates.length).toBeGreaterThan(100)
  expect(Math.min(...coordinates)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...coordinates)).toBeLessThanOrEqual(100)
})

test('without samples it says what will be shown, if the rule is active', () => {
  show(0, [])
  screen.getByText(/^No samples counted yet\./)
  expect(screen.queryByRole('img')).toBeNull()
  show(0, [], 'ended')
  screen.getByText('No samples were counted.')
})
