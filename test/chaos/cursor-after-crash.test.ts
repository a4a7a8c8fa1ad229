import { expect, test } from 'vitest'
import { openInboxReader } from '../support/inbox-reader.ts'
import { taskPayload } from '../support/service.ts'
import { startKillableService } from './killable-service.ts'
import { setUp } from './set-up.ts'

test('the event cursor of a page read right before a crash misses no event', async () => {
  const service = await startKillableService()
  try {
    const { agent, people } = await setUp(service)
    const [owner] = people
    const send = (name: string, headers = {}) => agent().post('/tasks', taskPayload({}, { name }), headers)
    for (let round = 0; round < 8; round++) {
      // Rejected calls roll back. Their transaction ids are not flushed to disk, so after a crash
      // PostgreSQL may reuse them for the next tasks.
      const key = { 'idempotency-key': `round ${round}` }
      expect((await send('Taken', key)).status).toBe(201)
      const refused = await Promise.all(Array.from({ length: 40 }, (_, i) => send(`Refused ${i}`, key)))
      expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([409]))
      const { eventCursor } = (await owner.caller().get('/inbox')).body
      await service.killAndRestart('service and PostgreSQL')

      const made: string[] = []
      for (let i = 0; i < 3; i++) made.push((await send(`After crash ${round}`)).body.taskId)
      const reader = await openInboxReader({ url: service.url(), ...owner }, { after: eventCursor })
      const seen = await reader.first(made.length)
      expect(seen.map(({ event }) => event.taskId)).toEqual(made)
      await reader.close()
    }
  } finally {
    await service.end()
  }
})
