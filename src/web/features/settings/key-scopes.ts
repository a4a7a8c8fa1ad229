import type { KeyScope } from '../../../contract/workspace.ts'

/** The meaningful combinations: `tasks` includes `tasks:read`. */
export const scopeChoices = [
  ['tasks,analysis:read', 'Full access'],
  ['tasks', 'Tasks only'],
  ['tasks:read,analysis:read', 'Read tasks and analyses'],
  ['tasks:read', 'Read tasks'],
  ['analysis:read', 'Read analyses'],
] as const

/** Undefined for a key without limits. */
export function describeScopes(scopes: KeyScope[]): string | undefined {
  const granted = scopes.filter((scope) => scope !== 'tasks:read' || !scopes.includes('tasks')).join()
  return granted === scopeChoices[0][0] ? undefined : scopeChoices.find(([value]) => value === granted)?.[1]
}
