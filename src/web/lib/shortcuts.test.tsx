import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { activeShortcuts, type Shortcuts, useShortcuts } from './shortcuts.ts'

afterEach(cleanup)

function Keys({ shortcuts }: { shortcuts: Shortcuts }) {
  useShortcuts(shortcuts)
  return <input aria-label="Field" />
}

test('a letter after G goes to a page and does not do what it does alone', async () => {
  const [markDone, toExamples] = [vi.fn(), vi.fn()]
  render(<Keys shortcuts={{ e: markDone, 'g e': toExamples }} />)
  await userEvent.keyboard('ge')
  expect([toExamples.mock.calls.length, markDone.mock.calls.length]).toEqual([1, 0])
  await userEvent.keyboard('e')
  expect(markDone).toHaveBeenCalledOnce()
})

test('where a person types, a letter is a letter', async () => {
  const [markDone, send] = [vi.fn(), vi.fn()]
  render(<Keys shortcuts={{ e: markDone, '$mod+Enter': send }} />)
  await userEvent.type(screen.getByLabelText('Field'), 'e{Control>}{Enter}{/Control}')
  expect([markDone.mock.calls.length, send.mock.calls.length]).toEqual([0, 1])
})

test('what listens is known for as long as it does', () => {
  const { unmount } = render(<Keys shortcuts={{ e: () => undefined }} />)
  expect(activeShortcuts().has('e')).toBe(true)
  unmount()
  expect(activeShortcuts().has('e')).toBe(false)
})
