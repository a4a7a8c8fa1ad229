import { act, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { CopyButton } from './copy-button.tsx'

afterEach(() => {
  vi.useRealTimers()
})

test('after a second click, the result is shown for two seconds again', async () => {
  vi.useFakeTimers()
  Object.defineProperty(navigator, 'clipboard', { value: { writeText: async () => {} }, configurable: true })
  render(
    <CopyButton confirmation="text" text={() => 'words'}>
      Copy
    </CopyButton>,
  )
  const button = screen.getByRole('button')
  const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))
  fireEvent.click(button)
  await pass(1_500)
  fireEvent.click(button)
  await pass(1_500)
  expect(button.textContent).toBe('Copied')
  await pass(600)
  expect(button.textContent).toBe('Copy')
})
