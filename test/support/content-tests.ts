import { afterAll, beforeAll, expect, vi } from 'vitest'
import { markedPayload } from './marked-payload.ts'
import { startReceiver } from './receiver.ts'
import { dumpDatabase } from './rows.ts'
import { startService, type TestService, type TestWorkspace } from './service.ts'
import { waitOptions } from './wait-options.ts'

/**
 * A service, and helpers for tests about where the content of tasks is stored. `service`, `acme`
 * and `receiver` are filled in a beforeAll hook.
 */
export function setUpContentTests() {
  const service = {} as TestService
  const acme = {} as TestWorkspace
  const receiver = {} as Awaited<ReturnType<typeof startReceiver>>
  beforeAll(async () => {
    // Echoes the body; /410 and /500 respond with that status.
    const echo = await startReceiver(({ path, body }, response) =>
      response.writeHead(Number(/^\/(\d{3})/.exec(path)?.[1] ?? 200)).end(body),
    )
    Object.assign(receiver, echo)
    Object.assign(service, await startService({ CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' }))
    Object.assign(acme, await service.workspace())
  })
  afterAll(async () => {
    await service.stop()
    await receiver.stop()
  })

  async function create(payload: object): Promise<string> {
    const { status, body } = await acme.agent.post('/tasks', payload)
    expect(status).toBe(201)
    return body.taskId
  }

  async function createAnswered(marker: string, more: Record<string, unknown> = {}): Promise<string> {
    const taskId = await create(markedPayload(marker, more))
    const handled = await acme.owner.post(`/tasks/${taskId}/handle`, {
      actionId: 'answer',
      data: { why: marker },
    })
    expect(handled.status).toBe(200)
    return taskId
  }

  const deliveriesOf = async (taskId: string) =>
    (await acme.owner.get(`/deliveries?taskId=${taskId}`)).body.deliveries
  const waitForStates = (taskId: string, states: string[]) =>
    vi.waitFor(
      async () =>
        expect((await deliveriesOf(taskId)).map((one: { state: string }) => one.state).sort()).toEqual(
          states,
        ),
      waitOptions,
    )
  const isStored = async (marker: string) => (await dumpDatabase(service.databaseUrl)).includes(marker)
  const auditOf = async (subject: string) => (await acme.owner.get(`/audit?subject=${subject}`)).body.entries

  return { service, acme, receiver, create, createAnswered, deliveriesOf, waitForStates, isStored, auditOf }
}
