import type { InboxToday } from '../../../contract/inbox.ts'
import { summarizeHandledSince } from '../../storage/inbox/handled-today.ts'
import type { PersonActor } from '../actor.ts'
import type { Service } from '../service.ts'

// Only the newest answers of the day are counted, which takes a few milliseconds.
const stopAt = 5_000

export async function inboxToday(
  { database }: Service,
  actor: PersonActor,
  since: string,
): Promise<InboxToday> {
  const { handled, ...figures } = await database.inWorkspace(actor.workspaceId, (tx) =>
    summarizeHandledSince(tx, actor.id, since, stopAt + 1),
  )
  return { handled: Math.min(handled, stopAt), ...figures, stopped: handled > stopAt }
}
