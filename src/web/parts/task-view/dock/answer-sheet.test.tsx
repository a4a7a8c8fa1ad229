import { render } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { AnswerSheet } from './answer-sheet.tsx'

test('the form is scrolled to where it was when the sheet opens, and not again while it is used', () => {
  const scrollTo = vi.spyOn(Element.prototype, 'scrollTo').mockImplementation(() => undefined)
  const scrolledTo = { current: 120 }
  const sheet = (footer: string) => (
    <AnswerSheet title="Pay" scrolledTo={scrolledTo} onClose={() => undefined} footer={footer}>
      <div data-answer-form />
    </AnswerSheet>
  )
  const { rerender } = render(sheet('Send'))
  expect(scrollTo.mock.calls).toEqual([[{ top: 120 }]])
  rerender(sheet('1 field needs your attention'))
  expect(scrollTo).toHaveBeenCalledOnce()
})
