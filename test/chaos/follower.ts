import { setTimeout as sleep } from 'node:timers/promises'
import { type InboxReader, openInboxReader, type ReadEvent } from '../support/inbox-reader.ts'

export type Follower = ReturnType<typeof followInbox>

/** Reads the inbox's events from a place on, over every crash, as a browser does: again and again from its last cursor. */
export function followInbox(
  url: () => string,
  person: { workspaceId: string; cookie: string },
  from: string,
) {
  const since = performance.now()
  const earlier: ReadEvent[] = []
  let reader: InboxReader | undefined
  let connections = 0
  let going = true
  const running = (async () => {
    while (going) {
      try {
        reader = await openInboxReader(
          { url: url(), ...person },
          { lastEventId: earlier.at(-1)?.cursor ?? from },
        )
        connections += 1
        await reader.ended
        earlier.push(...reader.seen)
      } catch {
        // The service is not there, or not yet.
      }
      reader = undefined
      await sleep(20)
    }
  })()
  const seen = () => [...earlier, ...(reader?.seen ?? [])]

  return {
    /** What began later than this is news to the reader. In milliseconds of this process. */
    since,
    seen,
    connections: () => connections,
    /** Ends after the event that tells of this task's creation, which must come. */
    async endAfter(taskId: string): Promise<void> {
      const patience = Date.now() + 30_000
      const isThere = () => seen().some(({ event }) => event.taskId === taskId)
      while (!isThere() && Date.now() < patience) await sleep(20)
      going = false
      await reader?.close()
      await running
    },
  }
}
