import type { KeyScope } from '../../../contract/workspace.ts'

/** The meaningful combinations: `tasks` includes `tasks:read`. */
export const scopeChoices = [
  ['tasks,analysis:read', 'Full access'],
  ['tasks', 'Create and manage tasks (tasks)'],
  ['tasks:read,analysis:read', 'Read tasks and analyses (tasks:read, analysis:read)'],
  ['tasks:read', 'Read tasks (tasks:read)'],
  ['analysis:read', 'Read analyses (analysis:read)'],
] as const

/** The scopes as the API names them. Undefined for a key without limits. */
export function describeScopes(scopes: KeyScope[]): string | undefined {
  const granted = scopes.filter((scope) => scope !== 'tasks:read' || !scopes.includes('tasks')).join()
  return granted === scopeChoices[0][0] ? undefined : granted.replace(',', ', ')
}
