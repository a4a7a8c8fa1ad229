import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AnswerGate } from './answer-gate.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})
afterEach(() => {
  document.body.replaceChildren()
  vi.restoreAllMocks()
})

function openDialog(): HTMLElement {
  const dialog = document.createElement('div')
  dialog.setAttribute('role', 'dialog')
  document.body.append(dialog)
  return dialog
}

const press = (key: string) => window.dispatchEvent(new KeyboardEvent('keydown', { key }))

/** Lets more than the time pass that content must be visible. */
const wait = () => vi.advanceTimersByTimeAsync(500)

test('a task can be answered once it has been visible, also from a dialog that was opened meanwhile', async () => {
  const gate = new AnswerGate()
  gate.openWhenVisible(1)
  expect(gate.tryAccept()).toBe(false)
  await vi.advanceTimersByTimeAsync(100)
  openDialog()
  await wait()
  expect(gate.tryAccept()).toBe(true)
  expect(gate.seenRevision).toBe(1)
})

test('a revision that appears behind a dialog can be answered only after the dialog was closed', async () => {
  const gate = new AnswerGate()
  const hide = gate.openWhenVisible(1)
  await wait()
  const dialog = openDialog()
  hide()
  gate.openWhenVisible(2)
  await wait()
  expect(gate.tryAccept()).toBe(false)
  expect(gate.seenRevision).toBe(1)
  dialog.remove()
  await vi.advanceTimersByTimeAsync(50)
  expect(gate.tryAccept()).toBe(false)
  await wait()
  expect(gate.tryAccept()).toBe(true)
  expect(gate.seenRevision).toBe(2)
})

test('a revision that a dialog covers before it could be seen counts from when the dialog is closed', async () => {
  const gate = new AnswerGate()
  const hide = gate.openWhenVisible(1)
  await wait()
  hide()
  gate.openWhenVisible(2)
  await vi.advanceTimersByTimeAsync(100)
  const dialog = openDialog()
  await wait()
  expect(gate.seenRevision).toBe(1)
  dialog.remove()
  await wait()
  expect(gate.seenRevision).toBe(2)
})

test('nor does one count that replaces the first content behind a dialog', async () => {
  const gate = new AnswerGate()
  const hide = gate.openWhenVisible(1)
  const dialog = openDialog()
  hide()
  gate.openWhenVisible(2)
  await wait()
  expect(gate.tryAccept()).toBe(false)
  dialog.remove()
  await wait()
  expect(gate.tryAccept()).toBe(true)
})

test('a person who returns to the tab with a dialog open can answer what they saw before', async () => {
  const gate = new AnswerGate()
  gate.openWhenVisible(1)
  await wait()
  openDialog()
  document.dispatchEvent(new Event('visibilitychange'))
  expect(gate.tryAccept()).toBe(false)
  await wait()
  expect(gate.tryAccept()).toBe(true)
})

test('in a tab that becomes visible again, a task can be answered only after it has been in view', async () => {
  const gate = new AnswerGate()
  gate.openWhenVisible(1)
  await wait()
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  document.dispatchEvent(new Event('visibilitychange'))
  await wait()
  expect(gate.tryAccept()).toBe(false)
  visibility.mockReturnValue('visible')
  document.dispatchEvent(new Event('visibilitychange'))
  await vi.advanceTimersByTimeAsync(100)
  expect(gate.tryAccept()).toBe(false)
  await wait()
  expect(gate.tryAccept()).toBe(true)
})

test('a refused key that is pressed again is a second attempt, but not as a letter of a text', async () => {
  const gate = new AnswerGate()
  gate.openWhenVisible(1)
  press('e')
  expect(gate.tryAccept()).toBe(false)
  await wait()
  for (const letter of 'teem') {
    press(letter)
    if (letter === 'e') expect(gate.tryAccept()).toBe(false)
  }
  await wait()
  await wait()
  press('e')
  expect(gate.tryAccept()).toBe(true)

  const next = new AnswerGate()
  next.openWhenVisible(1)
  press('e')
  expect(next.tryAccept()).toBe(false)
  await wait()
  press('e')
  expect(next.tryAccept()).toBe(true)
})
