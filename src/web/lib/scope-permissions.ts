import type { KeyScope } from '../../contract/workspace.ts'

const permissions: [scopes: KeyScope[], text: string][] = [
  [
    ['tasks'],
    'Send tasks to this workspace, wait for the answers, and update or cancel any of its open tasks',
  ],
  [['tasks', 'tasks:read'], 'Read tasks of this workspace and their answers'],
  [['analysis:read'], 'Read the feedback analysis'],
]

/** What these scopes allow an app to do. */
export function permissionsOf(scopes: KeyScope[]): string[] {
  return permissions
    .filter(([needed]) => needed.some((scope) => scopes.includes(scope)))
    .map(([, text]) => text)
}
