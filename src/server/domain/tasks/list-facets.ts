import type { InboxFacets } from '../../../contract/inbox.ts'
import { openValues } from '../../storage/inbox/inbox-figures.ts'
import type { PersonActor } from '../actor.ts'
import type { Service } from '../service.ts'

const most = 100

export async function listFacets({ database }: Service, actor: PersonActor): Promise<InboxFacets> {
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    const apps = await openValues(tx, 'app', most + 1)
    const types = await openValues(tx, 'type', most + 1)
    return {
      apps: apps.slice(0, most),
      types: types.slice(0, most),
      stopped: apps.length > most || types.length > most,
    }
  })
}
