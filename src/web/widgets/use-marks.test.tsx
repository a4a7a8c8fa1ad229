import { renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useMarks } from './use-marks.ts'

test.each([
  ['text', true],
  ['table', false],
  ['constructor', false],
])('texts of the widget "%s" are compared: %s', (widget, isCompared) => {
  const { result } = renderHook(() => useMarks(['one two', 'one three'], widget))
  expect(result.current.toggle !== undefined).toBe(isCompared)
})
