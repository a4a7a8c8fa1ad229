import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { preference, setPreference } from '../../lib/preferences.ts'
import { startTheme } from '../../lib/theme.ts'
import { PreferencesPage } from './preferences-page.tsx'
import { ShortcutsPage } from './shortcuts-page.tsx'

afterEach(() => {
  localStorage.clear()
  document.documentElement.classList.remove('dark')
})

test('the key that undoes is Z, as in the inbox, and Ctrl Z if single keys are off', () => {
  render(<PreferencesPage />)
  const help = () => screen.getByText(/^How long an answer waits/).textContent
  expect(help()).toContain('Press Z to undo it.')
  act(() => setPreference('singleKeys', 'off'))
  expect(help()).toContain('Press Ctrl Z to undo it.')
})

test('what was chosen is stored in this browser, takes effect, and is shown when the page is opened again', async () => {
  const pages = () => [<PreferencesPage key="preferences" />, <ShortcutsPage key="shortcuts" />]
  render(pages())
  const choices = [/^Dark/, /^Compact/, /^10 seconds/, /^Off/]
  for (const name of choices) await userEvent.click(screen.getByRole('radio', { name }))
  expect({ ...localStorage }).toMatchObject({
    ...{ 'handrail.theme': 'dark', 'handrail.density': 'compact' },
    ...{ 'handrail.undoSeconds': '10', 'handrail.singleKeys': 'off' },
  })
  const { classList } = document.documentElement
  expect([classList.contains('dark'), preference('undoSeconds')]).toEqual([true, '10'])

  cleanup()
  classList.remove('dark')
  startTheme()
  expect(classList.contains('dark')).toBe(true)
  render(pages())
  for (const name of choices) screen.getByRole('radio', { name, checked: true })
})
