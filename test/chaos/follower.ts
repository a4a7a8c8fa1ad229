import { setTimeout as sleep } from 'node:timers/promises'
import { type InboxReader, openInboxReader, type ReadEvent } from '../support/inbox-reader.ts'

export type Follower = ReturnType<typeof followInbox>

/**
 * Reads the inbox's events from a cursor on, over every crash, and reconnects with its last cursor as a browser does. With
 * `connectedMilliseconds` it also disconnects by itself after that time, again and again.
 */
export function followInbox(
  url: () => string,
  person: { workspaceId: string; cookie: string },
  from: string,
  connectedMilliseconds?: number,
) {
  const since = performance.now()
  const earlier: ReadEvent[] = []
  let reader: InboxReader | undefined
  let connections = 0
  let isGoing = true
  const running = (async () => {
    while (isGoing) {
      try {
        reader = await openInboxReader(
          { url: url(), ...person },
          { lastEventId: earlier.at(-1)?.cursor ?? from },
        )
        connections += 1
        const { ended, close } = reader
        if (!isGoing) await close()
        if (connectedMilliseconds) await Promise.race([ended, sleep(connectedMilliseconds).then(close)])
        await ended
        earlier.push(...reader.seen)
      } catch {
        // The service is not there, or not yet.
      }
      reader = undefined
      await sleep(20)
    }
  })()
  /** All server-sent events, `start-over` among them. */
  const received = () => [...earlier, ...(reader?.seen ?? [])]
  const seen = () => received().filter(({ name }) => name === 'inbox')
  const end = async () => {
    isGoing = false
    await reader?.close()
    await running
  }

  return {
    /** What began later than this is news to the reader. In milliseconds of this process. */
    since,
    received,
    seen,
    connections: () => connections,
    startOvers: () => received().filter(({ name }) => name === 'start-over').length,
    end,
    /** Ends after the event that tells of this task's creation, which must come. */
    async endAfter(taskId: string): Promise<void> {
      const patience = Date.now() + 30_000
      const isThere = () => seen().some(({ event }) => event.taskId === taskId)
      while (!isThere() && Date.now() < patience) await sleep(20)
      await end()
    },
  }
}
