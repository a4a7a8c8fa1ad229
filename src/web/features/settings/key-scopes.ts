import type { ApiKey, KeyScope } from '../../../contract/api-key.ts'

/** The combinations of scopes that differ in effect: `tasks` includes `tasks:read`. */
export const scopeChoices = [
  ['tasks,analysis:read', 'Full access'],
  ['tasks', 'Create and manage tasks (tasks)'],
  ['tasks:read,analysis:read', 'Read tasks and analyses (tasks:read, analysis:read)'],
  ['tasks:read', 'Read tasks (tasks:read)'],
  ['analysis:read', 'Read analyses (analysis:read)'],
] as const

/** The choice that grants these scopes. */
export function scopeChoiceOf(scopes: KeyScope[]): string {
  return scopes.filter((scope) => scope !== 'tasks:read' || !scopes.includes('tasks')).join()
}

/** The scopes as the API names them. undefined: full access. */
export function describeScopes(scopes: KeyScope[]): string | undefined {
  const granted = scopeChoiceOf(scopes)
  return granted === scopeChoices[0][0] ? undefined : granted.replace(',', ', ')
}

/**
 * "the app refunds · the types a, b". undefined: the key works for all apps and types, and from all
 * networks.
 */
export function describeLimits({ apps, types, cidrs }: Pick<ApiKey, 'apps' | 'types' | 'cidrs'>) {
  const limits = [
    ...(apps ? [`${nounFor('app', apps)} ${apps.join(', ')}`] : []),
    ...(types ? [`${nounFor('type', types)} ${types.join(', ')}`] : []),
    ...(cidrs ? [`${nounFor('network', cidrs)} ${cidrs.join(', ')}`] : []),
  ]
  return limits.length > 0 ? limits.join(' · ') : undefined
}

function nounFor(noun: string, values: string[]): string {
  return values.length === 1 ? `the ${noun}` : `the ${noun}s`
}
