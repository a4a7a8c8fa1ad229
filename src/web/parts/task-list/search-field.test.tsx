import { fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SearchField } from './search-field.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
})

const field = (q: string | undefined, onSearch: (q: string | undefined) => void) => (
  <SearchField
    id="search"
    label="Search"
    q={q}
    onSearch={onSearch}
    onSubmit={() => undefined}
    onLeave={() => undefined}
  />
)

function type(text: string) {
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: text } })
}

test('Back before a typed text is searched shows the earlier search, and the typed text is not searched', () => {
  const onSearch = vi.fn()
  const { rerender } = render(field('one', onSearch))
  type('one two')
  rerender(field('zero', onSearch))
  vi.runAllTimers()
  expect(onSearch).not.toHaveBeenCalled()
  expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('zero')
})

test('a text is searched with the filters of now, not of when it was typed', () => {
  const [earlier, now] = [vi.fn(), vi.fn()]
  const { rerender } = render(field(undefined, earlier))
  type('refund')
  rerender(field(undefined, now))
  vi.runAllTimers()
  expect(earlier).not.toHaveBeenCalled()
  expect(now.mock.calls).toEqual([['refund']])
})
