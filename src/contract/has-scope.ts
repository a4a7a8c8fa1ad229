import type { KeyScope } from './api-key.ts'

/** Whether these scopes include the required one. `tasks` includes `tasks:read`. */
export function hasScope(scopes: readonly KeyScope[], needed: KeyScope): boolean {
  return scopes.includes(needed) || (needed === 'tasks:read' && scopes.includes('tasks'))
}
