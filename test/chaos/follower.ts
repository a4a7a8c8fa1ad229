import { setTimeout as sleep } from 'node:timers/promises'
import { type InboxReader, openInboxReader, type ReadEvent } from '../support/inbox-reader.ts'

export type Follower = ReturnType<typeof followInbox>

/**
 * Reads the inbox's events from a cursor across crashes, reconnecting with its last cursor as a
 * browser does. With `connectedMilliseconds` it also disconnects after each interval of that
 * length.
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
  let isRunning = true
  const running = (async () => {
    while (isRunning) {
      try {
        reader = await openInboxReader(
          { url: url(), ...person },
          { lastEventId: earlier.at(-1)?.cursor ?? from },
        )
        connections += 1
        const { ended, close } = reader
        if (!isRunning) await close()
        if (connectedMilliseconds) await Promise.race([ended, sleep(connectedMilliseconds).then(close)])
        await ended
        earlier.push(...reader.seen)
      } catch {
        // The service is not up.
      }
      reader = undefined
      await sleep(50)
    }
  })()
  /** All server-sent events, including `start-over`. */
  const received = () => [...earlier, ...(reader?.seen ?? [])]
  const seen = () => received().filter(({ name }) => name === 'inbox')
  const end = async () => {
    isRunning = false
    await reader?.close()
    await running
  }

  return {
    /** Calls that started later must be seen by this reader. In milliseconds of this process. */
    since,
    received,
    seen,
    connections: () => connections,
    startOvers: () => received().filter(({ name }) => name === 'start-over').length,
    end,
    /** Ends after an event about this task, or after 30 seconds. */
    async endAfter(taskId: string): Promise<void> {
      const deadline = Date.now() + 30_000
      const hasSeen = () => seen().some(({ event }) => event.taskId === taskId)
      while (!hasSeen() && Date.now() < deadline) await sleep(20)
      await end()
    },
  }
}
