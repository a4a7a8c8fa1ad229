import { render } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { RevisionFrame } from './revision-frame.tsx'

const changes = vi.hoisted(() => ({ found: [] as object[] }))
vi.mock('./use-revision-changes.ts', () => ({ useRevisionChanges: () => changes.found }))

function shown() {
  return render(<RevisionFrame task={{} as never} revision={2} />).container
}

test('a revision says how many things it changed', () => {
  changes.found = [{ label: 'Refund', values: [] }]
  expect(shown().textContent).toBe('The agent changed 1 thingrevision 2RefundChanged')
})

test('a revision that only changed an order has no list of changes', () => {
  changes.found = []
  const frame = shown()
  expect(frame.textContent).toBe('The agent revised the taskrevision 2')
  expect(frame.querySelector('dl')).toBeNull()
})
