import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { StandalonePage } from './standalone-page.tsx'

test('the heading gets the focus when a form is replaced by its result, but not at first', () => {
  const { rerender } = render(
    <StandalonePage title="Choose a new password">
      <button type="button">Change password</button>
    </StandalonePage>,
  )
  expect(document.activeElement).toBe(document.body)
  screen.getByRole('button').focus()
  rerender(<StandalonePage title="Your password was changed" />)
  expect(document.activeElement).toBe(screen.getByRole('heading'))
})
