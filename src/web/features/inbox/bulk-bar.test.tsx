import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import BulkBar from './bulk-bar.tsx'

const nothing = () => undefined
const handlers = {
  onMarkDone: nothing,
  onReject: nothing,
  onAnswer: nothing,
  onClear: nothing,
  onDismiss: nothing,
}

test('the title of an action that is sent shows characters that would turn it around', () => {
  const run = { title: 'Pay \u202e001', done: 1, total: 2 }
  const { unmount } = render(<BulkBar taskIds={[]} run={run} outcome={undefined} {...handlers} />)
  expect(screen.getByRole('status').textContent).toBe('Pay RLO001: 1 of 2')
  expect(screen.getByRole('progressbar').getAttribute('aria-label')).toBe('Pay [RLO]001')
  unmount()
  const outcome = { what: '“Pay \u202e001” sent to 2 tasks.', failures: [] }
  render(<BulkBar taskIds={[]} run={undefined} outcome={outcome} {...handlers} />)
  expect(screen.getByRole('status').textContent).toBe('“Pay RLO001” sent to 2 tasks.')
})
