import { act, render } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { AnswerGate } from './answer-gate.ts'
import { useAnswerGate } from './use-answer-gate.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})
const wait = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))

let gate: AnswerGate
function Dialog({ isLoaded }: { isLoaded: boolean }) {
  const { mark, ...answering } = useAnswerGate()
  gate = answering.gate
  return isLoaded && <div ref={mark} />
}

test('a dialog that loads for long accepts an answer only after it has been in view', async () => {
  const { rerender } = render(<Dialog isLoaded={false} />)
  await wait(5_000)
  expect(gate.tryAccept()).toBe(false)
  rerender(<Dialog isLoaded />)
  await wait(100)
  expect(gate.tryAccept()).toBe(false)
  expect(document.querySelector('[data-answerable]')).toBeNull()
  await wait(500)
  expect(gate.tryAccept()).toBe(true)
  expect(document.querySelector('[data-answerable]')).not.toBeNull()
})
