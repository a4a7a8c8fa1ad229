import type { InboxFacets } from '../../../contract/inbox.ts'
import { listAnsweringMembers, listOpenValues } from '../../storage/inbox/filter-values.ts'
import type { PersonActor } from '../actor.ts'
import type { Service } from '../service.ts'

const maxValues = 100

export async function listFacets({ database }: Service, actor: PersonActor): Promise<InboxFacets> {
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    const apps = await listOpenValues(tx, 'app', maxValues + 1)
    const types = await listOpenValues(tx, 'type', maxValues + 1)
    return {
      apps: apps.slice(0, maxValues),
      types: types.slice(0, maxValues),
      hasMore: apps.length > maxValues || types.length > maxValues,
      answeredBy: await listAnsweringMembers(tx, maxValues),
    }
  })
}
