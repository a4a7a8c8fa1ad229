import type { CountedView, SaveViews, View, Views } from '../../../contract/view.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { everybody, findViews, replaceViews } from '../../storage/inbox/views.ts'
import { type PersonActor, requireRole } from '../actor.ts'
import type { Service } from '../service.ts'
import { countMatching } from './list-inbox.ts'

/** The named filters of a person and of the workspace, each with its number of open tasks. */
export async function getViews({ database }: Service, actor: PersonActor): Promise<Views> {
  return await database.inWorkspace(actor.workspaceId, (tx) => loadViews(tx, actor))
}

export async function saveViews(
  { database }: Service,
  actor: PersonActor,
  { views }: SaveViews,
): Promise<Views> {
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    await replaceViews(tx, actor.id, views)
    return await loadViews(tx, actor)
  })
}

export async function saveSharedViews(
  { database }: Service,
  actor: PersonActor,
  { views }: SaveViews,
): Promise<Views> {
  requireRole(actor, 'admin')
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    await replaceViews(tx, everybody, views)
    return await loadViews(tx, actor)
  })
}

async function loadViews(tx: Transaction, actor: PersonActor): Promise<Views> {
  const count = async (views: View[]) => {
    const counted: CountedView[] = []
    for (const view of views) {
      const { open, stopped } = await countMatching(tx, actor, view.filters)
      counted.push({ ...view, open, stopped })
    }
    return counted
  }
  return {
    views: await count(await findViews(tx, actor.id)),
    shared: await count(await findViews(tx, everybody)),
  }
}
