import { preference, setPreference } from '../../lib/preferences.ts'
import { useShortcuts } from '../../lib/shortcuts.ts'

/** While active, the D key shows or hides what the person or the agent has changed in texts. */
export function useChangesShortcut(isActive: boolean): void {
  useShortcuts(isActive ? { d: toggleChanges } : {})
}

export function toggleChanges(): void {
  setPreference('showChanges', preference('showChanges') === 'on' ? 'off' : 'on')
}
