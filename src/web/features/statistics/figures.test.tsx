import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Figures } from './figures.tsx'

const figures = {
  answers: 3,
  timeouts: 1,
  rules: 0,
  negative: { count: 0, share: 0 },
  medianSeconds: 0,
  p90Seconds: 0,
  open: { count: 0, hasMore: false },
  days: [],
  from: '2026-01-01',
  to: '2026-01-07',
}

function textUnder(name: string): string | null | undefined {
  return screen.getByRole('heading', { name }).parentElement?.textContent
}

test('a median of 0 seconds that was 0 before has not changed', () => {
  render(<Figures figures={figures as never} previous={figures as never} />)
  expect(textUnder('Median time to answer')).toContain('No change')
})

test('answers of rules do not replace what is said about answers at the deadline', () => {
  render(<Figures figures={{ ...figures, rules: 5 } as never} previous={undefined} />)
  expect(textUnder('Answered at the deadline')).toContain('Not counted as feedback5 more answered by rules')
})

test.each([
  [1_000, '0\u00a0% vs'],
  [997, '0\u00a0% vs'],
  [990, '−1\u00a0% vs'],
  [1_080, '+8\u00a0% vs'],
])('%d answers after 1,000 are “%s. previous 7 days”', (answers, text) => {
  const previous = { ...figures, answers: 1_000 }
  render(<Figures figures={{ ...figures, answers } as never} previous={previous as never} />)
  expect(textUnder('Answered by people')).toContain(`${answers.toLocaleString()}${text}`)
})
