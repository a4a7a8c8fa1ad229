import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestResponse } from '../support/http.ts'
import { agentAt, personAt } from '../support/nodes.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'
import { query } from '../support/sql.ts'

describe('of concurrent attempts to end a task at two nodes, exactly one wins', () => {
  let service: TestService
  let node: TestService
  let acme: TestWorkspace
  let people: { email: string; cookie: string }[]
  beforeAll(async () => {
    service = await startService()
    node = await startService({ DATABASE_URL: service.databaseUrl })
    acme = await service.workspace()
    people = [{ email: acme.ownerEmail, cookie: acme.owner.cookie }]
    for (const name of ['Mara', 'Max', 'Moe']) people.push(await acme.person('member', name))
  })
  afterAll(async () => {
    await node?.stop()
    await service?.stop()
  })

  const personOf = (i: number) => people[i % people.length]!
  // Everyone calls both nodes.
  const urlOf = (i: number) => [service, node][Math.floor(i / people.length) % 2]!.url
  const person = (i: number) => personAt(urlOf(i), acme, personOf(i))
  const agent = (i: number) => agentAt(urlOf(i), acme)

  async function newTasks(count: number, more: (i: number) => Record<string, unknown> = () => ({})) {
    const created = await Promise.all(
      Array.from({ length: count }, (_, i) => agent(i).post('/tasks', taskPayload(more(i)))),
    )
    return created.map(({ body }) => body.taskId as string)
  }

  /** What the ends of tasks leave behind, per task. */
  function endsOf(taskIds: string[]) {
    return query<{ events: string[]; audit: string[] }>(
      service.databaseUrl,
      `SELECT
         ARRAY(SELECT type FROM events WHERE task_id = given.id AND type <> 'service/task_created') AS events,
         ARRAY(SELECT action FROM audit_log WHERE subject = given.id) AS audit
       FROM unnest($1::text[]) WITH ORDINALITY AS given (id, position) ORDER BY position`,
      [taskIds],
    )
  }
  const endsAs = (status: string) => ({ events: [`service/task_${status}`], audit: [`task.${status}`] })

  test('20 answers: one 200, and nineteen 409 that name who, when and which action', async () => {
    for (const taskId of await newTasks(3)) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          person(i).post(
            `/tasks/${taskId}/handle`,
            i % 3 === 0 ? { actionId: 'approve' } : { actionId: 'decline', data: { reason: `answer ${i}` } },
          ),
        ),
      )
      const winners = answers.flatMap(({ status }, i) => (status === 200 ? [i] : []))
      expect(winners).toHaveLength(1)
      const [winner] = winners as [number]
      const { body: record } = answers[winner]!
      const handled = {
        actionId: winner % 3 === 0 ? 'approve' : 'decline',
        data: winner % 3 === 0 ? {} : { reason: `answer ${winner}` },
        handledBy: personOf(winner).email,
      }
      expect(record.handled).toMatchObject(handled)
      for (const [i, { status, body }] of answers.entries()) {
        if (i === winner) continue
        expect({ status, ...body }).toMatchObject({
          status: 409,
          code: 'task_not_open',
          taskStatus: 'handled',
          handledBy: handled.handledBy,
          handledAt: record.handled.handledAt,
          actionId: handled.actionId,
        })
      }
      expect((await agent(winner).get(`/tasks/${taskId}`)).body).toEqual(record)
      expect(await endsOf([taskId])).toEqual([endsAs('handled')])
      const { entries } = (await acme.owner.get(`/audit?subject=${taskId}`)).body
      expect(entries).toMatchObject([{ action: 'task.handled', details: { actionId: handled.actionId } }])
    }
  })

  /** Runs two calls against each other for many tasks at once; either goes first, at either node. */
  async function race(
    count: number,
    one: (taskId: string, i: number) => Promise<TestResponse>,
    other: (taskId: string, i: number) => Promise<TestResponse>,
  ) {
    const taskIds = await newTasks(count)
    return await Promise.all(
      taskIds.map(async (taskId, i) => {
        const [a, b] =
          i % 2 === 0
            ? await Promise.all([one(taskId, i), other(taskId, i + people.length)])
            : (await Promise.all([other(taskId, i + people.length), one(taskId, i)])).reverse()
        return { taskId, one: a!, other: b! }
      }),
    )
  }

  test('cancel against submit: the loser learns the outcome, and only the winner creates an event', async () => {
    const races = await race(
      16,
      (taskId, i) => agent(i).post(`/tasks/${taskId}/cancel`, { reason: 'Not needed any more' }),
      (taskId, i) => person(i).post(`/tasks/${taskId}/handle`, { actionId: 'approve' }),
    )
    const statuses: string[] = []
    for (const { taskId, one: cancel, other: submit } of races) {
      const record = (await agent(0).get(`/tasks/${taskId}`)).body
      expect([cancel.status, submit.status].sort()).toEqual([200, 409])
      if (cancel.status === 200) {
        expect(submit.body).toMatchObject({ code: 'task_not_open', taskStatus: 'cancelled' })
        expect(record).toMatchObject({ status: 'cancelled', cancelled: { reason: 'Not needed any more' } })
        expect(record).not.toHaveProperty('handled')
      } else {
        expect(cancel.body).toMatchObject({
          code: 'task_not_open',
          taskStatus: 'handled',
          handledBy: record.handled.handledBy,
          handledAt: record.handled.handledAt,
          actionId: 'approve',
        })
        expect(record).toMatchObject({ status: 'handled' })
        expect(record).not.toHaveProperty('cancelled')
      }
      statuses.push(record.status)
    }
    expect(await endsOf(races.map(({ taskId }) => taskId))).toEqual(statuses.map(endsAs))
  })

  test('mark done against reject: one of them is the answer', async () => {
    const races = await race(
      16,
      (taskId, i) => person(i).post(`/tasks/${taskId}/mark-done`),
      (taskId, i) => person(i).post(`/tasks/${taskId}/reject`, { feedback: 'Wrong customer' }),
    )
    for (const { one: done, other: rejected } of races) {
      expect([done.status, rejected.status].sort()).toEqual([200, 409])
      const [winner, loser] = done.status === 200 ? [done, rejected] : [rejected, done]
      const actionId = done.status === 200 ? 'service:mark-done' : 'service:reject-request'
      expect(winner.body.handled.actionId).toBe(actionId)
      expect(loser.body).toMatchObject({ code: 'task_not_open', taskStatus: 'handled', actionId })
    }
    expect(await endsOf(races.map(({ taskId }) => taskId))).toEqual(races.map(() => endsAs('handled')))
  })

  test('claim and update against submit: neither leaves data or events after the end', async () => {
    const races = await race(
      32,
      (taskId, i) =>
        i % 4 < 2
          ? person(i).post(`/tasks/${taskId}/claim`)
          : agent(i).post(`/tasks/${taskId}/updates`, { message: 'Nearly there' }),
      (taskId, i) => person(i).post(`/tasks/${taskId}/mark-done`),
    )
    expect(new Set(races.map(({ other }) => other.status))).toEqual(new Set([200]))
    const taskIds = races.map(({ taskId }) => taskId)
    const left = await query(service.databaseUrl, 'SELECT * FROM claims WHERE task_id = ANY ($1)', [taskIds])
    expect(left).toEqual([])
    const events = await query<{ types: string[] }>(
      service.databaseUrl,
      'SELECT array_agg(type ORDER BY xid, id) AS types FROM events WHERE task_id = ANY ($1) GROUP BY task_id',
      [taskIds],
    )
    expect(events.filter(({ types }) => types.at(-1) !== 'service/task_handled')).toEqual([])
  })

  test('a thread stays consistent while its tasks are created and ended concurrently', async () => {
    const priorities = ['urgent', 'high', 'normal', 'low']
    const threads = ['invoice-1', 'invoice-2', 'invoice-3']
    const inThread = (i: number) => ({
      threadId: threads[i % threads.length],
      priority: priorities[(i * 7) % priorities.length],
    })
    const taskIds = await newTasks(36, inThread)
    // All tasks of the third thread end; of the other threads a third and the new tasks stay open.
    const ending = taskIds.filter((_, i) => i % 3 === 2 || i % 9 !== 0)
    const [ended, arrived] = await Promise.all([
      Promise.all(
        ending.map((taskId, i) =>
          i % 4 === 0
            ? agent(i).post(`/tasks/${taskId}/cancel`)
            : person(i).post(`/tasks/${taskId}/handle`, { actionId: 'approve' }),
        ),
      ),
      newTasks(12, (i) => inThread(i - (i % 3 === 2 ? 1 : 0))),
    ])
    expect(ended.map(({ status }) => status)).toEqual(ended.map(() => 200))
    expect(arrived).toHaveLength(12)

    const wrong = await query(
      service.databaseUrl,
      `SELECT * FROM (
         SELECT thread_id AS id, count(*)::integer AS open_count, min(priority) AS rank, min(created_at) AS oldest_open_at
         FROM tasks WHERE workspace_id = $1 AND status = 'open' GROUP BY thread_id) computed
       FULL JOIN (SELECT * FROM threads WHERE workspace_id = $1) stored USING (id)
       WHERE (computed.open_count, computed.rank, computed.oldest_open_at)
         IS DISTINCT FROM (stored.open_count, stored.rank, stored.oldest_open_at)`,
      [acme.workspaceId],
    )
    expect(wrong).toEqual([])
    const stored = await query<{ id: string }>(
      service.databaseUrl,
      'SELECT id FROM threads WHERE workspace_id = $1 AND id = ANY ($2) ORDER BY id',
      [acme.workspaceId, threads],
    )
    expect(stored.map(({ id }) => id)).toEqual(['invoice-1', 'invoice-2'])
  })
})
