import { act, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { setPreference } from '../../lib/preferences.ts'
import { PreferencesPage } from './preferences-page.tsx'

test('the key that undoes is Z, as in the inbox, and Ctrl Z if single keys are off', () => {
  render(<PreferencesPage />)
  const help = () => screen.getByText(/^How long an answer waits/).textContent
  expect(help()).toContain('Press Z to undo it.')
  act(() => setPreference('singleKeys', 'off'))
  expect(help()).toContain('Press Ctrl Z to undo it.')
})
