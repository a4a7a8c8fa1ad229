import { preference, setPreference } from '../../lib/preferences.ts'
import { useShortcuts } from '../../lib/shortcuts.ts'

/** While active, the D key shows or hides the changes that the person made to the agent's texts. */
export function useChangesShortcut(isActive: boolean): void {
  useShortcuts(isActive ? { d: toggleChanges } : {})
}

export function toggleChanges(): void {
  setPreference('showChanges', preference('showChanges') === 'on' ? 'off' : 'on')
}
