import type { KeyScope } from '../../../contract/workspace.ts'

/** All that differ: whoever may do everything with tasks may read them. */
export const scopeChoices = [
  ['tasks,analysis:read', 'Everything'],
  ['tasks', 'Tasks, no analyses'],
  ['tasks:read,analysis:read', 'Read tasks and analyses'],
  ['tasks:read', 'Read tasks'],
  ['analysis:read', 'Read analyses'],
] as const

/** undefined: everything, which need not be said. */
export function limitsInWords(scopes: KeyScope[]): string | undefined {
  const told = scopes.filter((scope) => scope !== 'tasks:read' || !scopes.includes('tasks')).join()
  return told === scopeChoices[0][0] ? undefined : scopeChoices.find(([value]) => value === told)?.[1]
}
