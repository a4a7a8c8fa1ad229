import { act, renderHook } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { chosenList, rememberList } from './chosen-list.ts'
import { preference, setPreference, usePreference } from './preferences.ts'

afterEach(() => {
  vi.restoreAllMocks()
  localStorage.clear()
})

test('a preference that another tab changes is used here at once', () => {
  const { result } = renderHook(() => usePreference('singleKeys'))
  act(() => setPreference('singleKeys', 'on'))
  localStorage.setItem('handrail.singleKeys', 'off')
  act(() => void window.dispatchEvent(new StorageEvent('storage')))
  expect(result.current).toBe('off')
  expect(preference('singleKeys')).toBe('off')
})

test('without storage, a preference lasts until the page is closed', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  setPreference('undoSeconds', '10')
  expect(preference('undoSeconds')).toBe('10')
})

test('choosing a list keeps what other tabs have stored since', () => {
  rememberList('mara', 'acme', 'me')
  const fromOtherTab = { who: 'mara books', list: 'all' }
  localStorage.setItem('handrail.lists', JSON.stringify([fromOtherTab]))
  rememberList('mara', 'acme', 'all')
  expect(JSON.parse(localStorage.getItem('handrail.lists')!)).toEqual([
    fromOtherTab,
    { who: 'mara acme', list: 'all' },
  ])
  expect(chosenList('mara', 'acme')).toBe('all')
})
