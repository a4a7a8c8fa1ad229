import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import { activeShortcuts, type Shortcuts, useShortcuts } from './shortcuts.ts'

afterEach(cleanup)

function Keys({ shortcuts }: { shortcuts: Shortcuts }) {
  useShortcuts(shortcuts)
  return <input aria-label="Field" />
}

test('a letter after G opens a page and does not trigger its own shortcut', async () => {
  const [markDone, toExamples] = [vi.fn(), vi.fn()]
  render(<Keys shortcuts={{ e: markDone, 'g e': toExamples }} />)
  await userEvent.keyboard('ge')
  expect([toExamples.mock.calls.length, markDone.mock.calls.length]).toEqual([1, 0])
  await userEvent.keyboard('e')
  expect(markDone).toHaveBeenCalledOnce()
  // With Caps Lock.
  await userEvent.keyboard('GE')
  expect(markDone).toHaveBeenCalledOnce()
})

test('a letter typed into a field does not trigger a shortcut', async () => {
  const [markDone, send] = [vi.fn(), vi.fn()]
  render(<Keys shortcuts={{ e: markDone, '$mod+Enter': send }} />)
  await userEvent.type(screen.getByLabelText('Field'), 'e{Control>}{Enter}{/Control}')
  expect([markDone.mock.calls.length, send.mock.calls.length]).toEqual([0, 1])
})

test('a shortcut is active only while its component is mounted', () => {
  const { unmount } = render(<Keys shortcuts={{ e: () => undefined }} />)
  expect(activeShortcuts().has('e')).toBe(true)
  unmount()
  expect(activeShortcuts().has('e')).toBe(false)
})
