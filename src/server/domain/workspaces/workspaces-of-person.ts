import { workspacesOfPerson as workspaceRows } from '../../storage/members.ts'
import type { Service } from '../service.ts'

export function workspacesOfPerson({ database }: Pick<Service, 'database'>, userId: string) {
  return workspaceRows(database, userId)
}
