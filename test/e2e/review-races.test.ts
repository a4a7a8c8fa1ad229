import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestResponse } from '../support/http.ts'
import { personAt } from '../support/nodes.ts'
import { moveClock } from '../support/rows.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'
import { query } from '../support/sql.ts'

type Someone = Awaited<ReturnType<TestWorkspace['person']>>

describe('concurrent answers at two nodes to a task that needs two', () => {
  let service: TestService
  let node: TestService
  let acme: TestWorkspace
  let people: Someone[]
  let groupId: string
  beforeAll(async () => {
    service = await startService()
    node = await startService({ DATABASE_URL: service.databaseUrl })
    acme = await service.workspace()
    people = await Promise.all(Array.from({ length: 4 }, () => acme.person()))
    groupId = (await acme.owner.post('/groups', { slug: 'all', members: emails() })).body.groupId
  })
  afterAll(async () => {
    await node?.stop()
    await service?.stop()
  })
  const emails = () => people.map(({ email }) => email)
  const at = (index: number) => personAt([service, node][index % 2]!.url, acme, people[index]!)
  const newTask = async (more: Record<string, unknown> = {}) =>
    (await acme.agent.post('/tasks', taskPayload({ ...more, review: { by: ['group:all'], needed: 2 } }))).body
      .taskId as string

  test('the last two of several give one decision, and the third learns of it', async () => {
    for (let round = 0; round < 3; round++) {
      const taskId = await newTask()
      const results = await Promise.all(
        people.map((_, index) => at(index).post(`/tasks/${taskId}/handle`, { actionId: 'approve' })),
      )
      const codes = results.map(({ status, body }) => (status === 200 ? body.status : body.code)).sort()
      expect(codes).toEqual(['handled', 'open', 'task_not_open', 'task_not_open'])
      const record = (await acme.agent.get(`/tasks/${taskId}`)).body
      expect(record.handled.answers).toHaveLength(2)
      const events = await query<{ type: string }>(
        service.databaseUrl,
        "SELECT type FROM events WHERE task_id = $1 AND type <> 'service/task_created' ORDER BY id",
        [taskId],
      )
      expect(events.map(({ type }) => type)).toEqual(['service/task_answered', 'service/task_handled'])
    }
  })

  type Rival = (taskId: string) => Promise<{ status: number; body: { detail?: string } }>
  /**
   * The last answer and something else at once, several times. `expectOutcome` gets the record
   * afterwards.
   */
  const race = async (
    rival: Rival,
    more: Record<string, unknown>,
    expectOutcome: (outcome: {
      voted: TestResponse
      other: Awaited<ReturnType<Rival>>
      record: TestResponse['body']
    }) => void | Promise<void>,
  ) => {
    for (let round = 0; round < 4; round++) {
      const taskId = await newTask(more)
      await at(0).post(`/tasks/${taskId}/handle`, { actionId: 'approve' })
      const vote = () => at(1).post(`/tasks/${taskId}/handle`, { actionId: 'approve' })
      // Neither is always first.
      const started = round % 2 === 0 ? [vote(), rival(taskId)] : [rival(taskId), vote()].reverse()
      const [voted, other] = (await Promise.all(started)) as [TestResponse, Awaited<ReturnType<Rival>>]
      const record = (await acme.agent.get(`/tasks/${taskId}`)).body
      if (voted.status === 200) expect(voted.body.status).toBe('handled')
      else expect(voted.body.detail).toMatch(/Nothing was (recorded|changed)\./)
      await expectOutcome({ voted, other, record })
    }
  }

  test('against a cancellation: one of them ends the task', async () => {
    const cancel = (taskId: string) => acme.agent.post(`/tasks/${taskId}/cancel`, {})
    await race(cancel, {}, ({ voted, other, record }) => {
      expect([voted.status, other.status].sort()).toEqual([200, 409])
      expect(record.status).toBe(voted.status === 200 ? 'handled' : 'cancelled')
      const [loser, winner] = voted.status === 200 ? [other, 'handled by'] : [voted, 'cancelled at']
      expect(loser.body.detail).toContain(`The task was ${winner}`)
    })
  })

  test('against the removal from the group: it counts or is refused', async () => {
    const setMembers = (members: string[]) => acme.owner.patch(`/groups/${groupId}`, { members })
    const leave = () => setMembers(emails().toSpliced(1, 1))
    await race(leave, {}, async ({ voted, other, record }) => {
      expect(other.status).toBe(200)
      if (voted.status !== 200) expect(voted.body).toMatchObject({ status: 403, code: 'not_a_reviewer' })
      expect(record).toMatchObject({
        status: voted.status === 200 ? 'handled' : 'open',
        review: { given: voted.status === 200 ? 2 : 1 },
      })
      await setMembers(emails())
    })
  })

  test('against a revision: either it decides what was shown, or nothing', async () => {
    const revise = (taskId: string) =>
      acme.agent.post(`/tasks/${taskId}/updates`, { message: 'Changed', revision: { task: { name: 'New' } } })
    await race(revise, {}, ({ voted, other, record }) => {
      expect([voted.status, other.status]).toEqual(voted.status === 200 ? [200, 409] : [409, 201])
      if (voted.status !== 200) expect(voted.body.code).toBe('task_revised')
      expect(record).toMatchObject(
        voted.status === 200
          ? { status: 'handled', revision: 1 }
          : { status: 'open', revision: 2, review: { given: 0 } },
      )
    })
  })

  test('against a question: the answer decides, and the question is asked before it or not at all', async () => {
    const ask = (taskId: string) =>
      at(2).post(`/tasks/${taskId}/questions`, { kind: 'question', text: 'Why?' })
    await race(ask, { acceptsQuestions: true }, ({ voted, other, record }) => {
      expect(voted.status).toBe(200)
      expect(record.status).toBe('handled')
      expect(record.questions?.length ?? 0).toBe(other.status === 201 ? 1 : 0)
      if (other.status !== 201) expect(other.body.detail).toContain('The task was handled by')
    })
  })

  test('against the deadline: it decides, or the task expires', async () => {
    const pass = async () => {
      await moveClock(service.databaseUrl, '1 hour')
      return { status: 200, body: {} }
    }
    await race(pass, { expiresInSeconds: 3_600 }, ({ voted, record }) => {
      if (voted.status === 200) expect(record.status).toBe('handled')
      else expect(voted.body).toMatchObject({ code: 'task_not_open', taskStatus: 'expired' })
      if (voted.status !== 200) expect(record).toMatchObject({ status: 'expired', review: { given: 1 } })
    })
  })
})
