import type { InboxToday } from '../../../contract/inbox.ts'
import { handledSince } from '../../storage/inbox/inbox-figures.ts'
import type { PersonActor } from '../actor.ts'
import type { Service } from '../service.ts'

// So many answers of a day are looked at, the newest: a few milliseconds.
const stopAt = 5_000

export async function inboxToday(
  { database }: Service,
  actor: PersonActor,
  since: string,
): Promise<InboxToday> {
  const { handled, ...figures } = await database.inWorkspace(actor.workspaceId, (tx) =>
    handledSince(tx, actor.id, since, stopAt + 1),
  )
  return { handled: Math.min(handled, stopAt), ...figures, stopped: handled > stopAt }
}
