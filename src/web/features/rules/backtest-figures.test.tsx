import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { BacktestFigures } from './backtest-figures.tsx'

test('a share below half a percent is not shown as 0 %', () => {
  const figures = { considered: 1_000, covered: 3, agreed: 3, atLeast: 0.4, perDay: 0.1 }
  render(<BacktestFigures {...figures} agreementLabel="People agreed" />)
  expect(screen.getByText(/of tasks$/).textContent).toBe('0.3\u00a0% of tasks')
})
