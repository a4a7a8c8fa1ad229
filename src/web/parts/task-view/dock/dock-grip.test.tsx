import { act, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { setPreference } from '../../../lib/preferences.ts'
import { DockGrip } from './dock-grip.tsx'

beforeEach(() => {
  HTMLElement.prototype.setPointerCapture = vi.fn()
  setPreference('dockHeight', '')
})

function dock(formHeight?: { shown: number; whole: number }) {
  render(
    <div data-testid="dock">
      <DockGrip onFold={() => undefined} />
      {formHeight && <div data-answer-form="" data-testid="form" />}
    </div>,
  )
  if (formHeight) {
    const form = screen.getByTestId('form')
    Object.defineProperty(form, 'clientHeight', { value: formHeight.shown })
    Object.defineProperty(form, 'scrollHeight', { value: formHeight.whole })
  }
  return {
    grip: screen.getByRole('separator'),
    height: () => screen.getByTestId('dock').style.getPropertyValue('--dock-height'),
  }
}

test('dragging resizes the dock until the pointer is lost', () => {
  const { grip, height } = dock()
  fireEvent.pointerDown(grip, { button: 0, clientY: 500 })
  fireEvent.pointerMove(grip, { clientY: 400 })
  expect(height()).toBe('160px')
  fireEvent.lostPointerCapture(grip)
  act(() => setPreference('dockHeight', ''))
  fireEvent.pointerMove(grip, { clientY: 300 })
  expect(height()).toBe('')
})

test('another button than the main one does not start a drag', () => {
  const { grip, height } = dock()
  fireEvent.pointerDown(grip, { button: 2, clientY: 500 })
  fireEvent.pointerMove(grip, { clientY: 400 })
  expect(height()).toBe('')
})

test.each([
  [200, ''],
  [300, '160px'],
])(
  'growing over a form that is shown as a whole does not lower the stored height (of %i pixels)',
  (whole, stored) => {
    const { grip, height } = dock({ shown: 200, whole })
    fireEvent.keyDown(grip, { key: 'ArrowUp' })
    expect(height()).toBe(stored)
    act(() => setPreference('dockHeight', ''))
    fireEvent.pointerDown(grip, { button: 0, clientY: 500 })
    fireEvent.pointerMove(grip, { clientY: 400 })
    fireEvent.lostPointerCapture(grip)
    expect(height()).toBe(stored)
  },
)
