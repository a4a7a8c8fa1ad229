import { preference, setPreference } from '../../lib/preferences.ts'
import { useShortcuts } from '../../lib/shortcuts.ts'

/** D shows or hides what was changed in prefilled texts. */
export function useChangesShortcut(isActive: boolean): void {
  useShortcuts(isActive ? { d: toggleChanges } : {})
}

export function toggleChanges(): void {
  setPreference('showChanges', preference('showChanges') === 'on' ? 'off' : 'on')
}
