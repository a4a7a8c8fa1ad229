import type { UseQueryResult } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Backtest } from '../../../contract/rules/rule.ts'
import { BacktestPanel } from './backtest-panel.tsx'

const empty: Backtest = {
  answers: 500,
  otherActions: 0,
  matching: 400,
  agreed: 400,
  atLeast: 0.99,
  perDay: 4,
  versions: [],
  disagreements: [],
}

function notesOf(result: Partial<Backtest>) {
  const query = { data: { ...empty, ...result } } as UseQueryResult<Backtest>
  const { container } = render(<BacktestPanel query={query} isReady />)
  return [...container.querySelectorAll('p')].map(({ textContent }) => textContent)
}

test('the versions that have not passed are listed, or counted if there are many', () => {
  const versions = ['', '2', '3', '4', '5'].map((version) => ({
    ...{ version, matching: 9, agreedInRow: 5, passes: false },
  }))
  expect(notesOf({ versions, otherActions: 1 })).toEqual([
    '1 answer to tasks with other actions was not compared.',
    'Tasks without a version: 5 of 59 agreements in a row.',
    'Version 2: 5 of 59 agreements in a row.',
    'Version 3: 5 of 59 agreements in a row.',
    'And 2 more versions with too few agreements.',
    'Tasks of a version go to people until 59 answers in a row agree with the rule.',
  ])
})

test('the button says how many disagreements there are, and how many of them are listed', () => {
  const disagreements = Array.from({ length: 100 }, () => ({})) as Backtest['disagreements']
  notesOf({ agreed: 160, disagreements })
  screen.getByRole('button', { name: 'See the newest 100 of 240 disagreements' })
  cleanup()
  notesOf({ agreed: 300, disagreements })
  expect(screen.getByRole('button').textContent).toBe('See 100 disagreements')
})
