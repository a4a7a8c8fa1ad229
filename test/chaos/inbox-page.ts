import { setTimeout as sleep } from 'node:timers/promises'
import type { InboxPage, InboxRow } from '../../src/contract/inbox.ts'
import { type Follower, followInbox } from './follower.ts'
import type { Person } from './set-up.ts'

/**
 * A model of the inbox page: it lists the inbox, applies events, and lists the inbox again on a
 * `start-over` event.
 */
export function openInboxPage(url: () => string, person: Person) {
  let listed: string[] = []
  let follower: Follower | undefined
  let startOvers = 0
  let isRunning = true
  const running = (async () => {
    while (isRunning) {
      if (follower && follower.startOvers() > 0) {
        startOvers += 1
        await follower.end()
        follower = undefined
      }
      const inbox = follower ? undefined : await listInbox(person).catch(() => undefined)
      if (inbox) {
        listed = inbox.taskIds
        follower = followInbox(url, person, inbox.eventCursor)
      }
      await sleep(20)
    }
  })()
  const seen = () => follower?.seen() ?? []

  return {
    startOvers: () => startOvers,
    hasSeen: (taskId: string) =>
      listed.includes(taskId) || seen().some(({ event }) => event.taskId === taskId),
    /** The ids of the tasks that the page shows as open, sorted. */
    openTasks(): string[] {
      const open = new Set(listed)
      for (const { event } of seen()) {
        if (event.type === 'service/task_created') open.add(event.taskId)
        if (event.type === 'service/task_handled' || event.type === 'service/task_cancelled')
          open.delete(event.taskId)
      }
      return [...open].sort()
    },
    async close(): Promise<void> {
      isRunning = false
      await running
      await follower?.end()
    },
  }
}

/** Reads every page of the inbox. The event cursor of the first page is the oldest, so no event is missed. */
async function listInbox(person: Person) {
  const taskIds: string[] = []
  let eventCursor: string | undefined
  let cursor: string | null = ''
  while (cursor !== null) {
    const search: string = cursor && `&cursor=${encodeURIComponent(cursor)}`
    const { status, body } = await person.caller().get(`/inbox?limit=50${search}`)
    if (status !== 200) throw new Error(`The inbox was not listed: ${status}`)
    const page = body as InboxPage
    taskIds.push(...page.rows.map(({ taskId }: InboxRow) => taskId))
    eventCursor ??= page.eventCursor
    cursor = page.nextCursor
  }
  return { taskIds, eventCursor: eventCursor! }
}
