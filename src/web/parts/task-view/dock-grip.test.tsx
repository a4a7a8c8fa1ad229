import { act, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { setPreference } from '../../lib/preferences.ts'
import { DockGrip } from './dock-grip.tsx'

beforeEach(() => {
  HTMLElement.prototype.setPointerCapture = vi.fn()
  setPreference('dockHeight', '')
})

function dock() {
  render(
    <div data-testid="dock">
      <DockGrip onFold={() => undefined} />
    </div>,
  )
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
