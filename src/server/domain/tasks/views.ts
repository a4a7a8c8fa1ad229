import type { CountedView, SaveViews, View, Views } from '../../../contract/view.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { listSnoozes } from '../../storage/inbox/snoozes.ts'
import { everybody, findViews, replaceViews } from '../../storage/inbox/views.ts'
import { listAssigneesOf } from '../../storage/review/groups.ts'
import { type PersonActor, requireRole } from '../actor.ts'
import type { Service } from '../service.ts'
import { countMatching } from './list-inbox.ts'

/**
 * The views of a person and of the workspace, each with the number of matching tasks that wait for
 * people.
 */
export async function getViews({ database }: Service, actor: PersonActor): Promise<Views> {
  return await database.inWorkspace(actor.workspaceId, (tx) => loadViews(tx, actor))
}

export function saveViews(service: Service, actor: PersonActor, input: SaveViews): Promise<Views> {
  return replace(service, actor, actor.id, input)
}

export async function saveSharedViews(
  service: Service,
  actor: PersonActor,
  input: SaveViews,
): Promise<Views> {
  requireRole(actor, 'admin')
  return await replace(service, actor, everybody, input)
}

async function replace(
  { database }: Service,
  actor: PersonActor,
  owner: string,
  { views }: SaveViews,
): Promise<Views> {
  return await database.inWorkspace(actor.workspaceId, async (tx) => {
    await replaceViews(tx, owner, views)
    return await loadViews(tx, actor)
  })
}

async function loadViews(tx: Transaction, actor: PersonActor): Promise<Views> {
  const mine = await listAssigneesOf(tx, actor.id)
  const snoozes = await listSnoozes(tx, actor.id)
  const count = async (views: View[]) => {
    const counted: CountedView[] = []
    for (const view of views) {
      const { open, hasMore } = await countMatching(tx, view.filters, mine, snoozes)
      counted.push({ ...view, open, hasMore })
    }
    return counted
  }
  return {
    views: await count(await findViews(tx, actor.id)),
    shared: await count(await findViews(tx, everybody)),
  }
}
