import type { KeyScope } from '../../contract/api-key.ts'
import { hasScope } from '../../contract/has-scope.ts'

const permissions: [scope: KeyScope, text: string][] = [
  ['tasks', 'Send tasks to this workspace, wait for the answers, and update or cancel any of its open tasks'],
  ['tasks:read', 'Read tasks of this workspace and their answers'],
  ['analysis:read', 'Read the feedback analysis'],
]

/** What these scopes allow an app to do. */
export function permissionsOf(scopes: KeyScope[]): string[] {
  return permissions.filter(([needed]) => hasScope(scopes, needed)).map(([, text]) => text)
}
