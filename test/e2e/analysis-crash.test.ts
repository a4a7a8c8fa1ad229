import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { claimDueAnalyses, runAnalysis } from '../../src/server/domain/feedback/run-analysis.ts'
import { insertHandled } from '../support/handled-tasks.ts'
import { startNode } from '../support/node.ts'
import type { Node } from '../support/nodes.ts'
import { moveClock } from '../support/rows.ts'
import { startService, type TestService, type TestWorkspace, testSecrets } from '../support/service.ts'
import { query } from '../support/sql.ts'
import { waitOptions } from '../support/wait-options.ts'

const text = {
  insights: 'People miss the right total in half of all cases.',
  recommendation: 'Add up the total again before sending.',
  instructions: '1. Compute the total from its lines before send_to_human.',
}

describe('an analysis is completed although its process is killed', () => {
  /** Runs no jobs, so that reading through it changes nothing. */
  let backend: TestService
  let acme: TestWorkspace
  let model: Server
  let modelUrl: string
  let hold = true
  const held: ServerResponse[] = []
  const nodes: Node[] = []
  beforeAll(async () => {
    model = createServer((_, response) => {
      held.push(response)
      if (!hold) response.end(JSON.stringify({ choices: [{ message: { content: JSON.stringify(text) } }] }))
    })
    await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve))
    modelUrl = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`
    backend = await startService({}, ['--only', 'backend'])
    acme = await backend.workspace()
    const tasks = Array.from({ length: 40 }, (_, i) => ({
      daysAgo: 1,
      actionId: i % 2 ? 'reject' : 'approve',
    }))
    await insertHandled(backend.databaseUrl, acme.workspaceId, tasks)
  })
  afterEach(async () => {
    await Promise.all(nodes.splice(0).map((node) => node.kill()))
    held.length = 0
  })
  afterAll(async () => {
    model.closeAllConnections()
    model.close()
    await backend.stop()
  })

  const environment = () => ({
    DATABASE_URL: backend.databaseUrl,
    ...testSecrets,
    ANALYST_MODEL: 'thinker',
    ANALYST_BASE_URL: modelUrl,
  })
  async function startJobs(): Promise<Node> {
    const node = await startNode(environment(), 0, ['--only', 'jobs'])
    nodes.push(node)
    return node
  }
  /** Another process, in this one: it is not killed. */
  async function startJobsHere() {
    const jobs = await startService(environment(), ['--only', 'jobs'])
    onTestFinished(() => jobs.stop())
  }
  const latest = async () => (await acme.agent.get('/feedback-analyses/latest?type=refund-approval')).body
  const startAnalysis = async () => {
    await acme.owner.post('/feedback-analyses', { type: 'refund-approval' })
    await vi.waitFor(() => expect(held).toHaveLength(1), waitOptions)
  }
  const waitUntilCompleted = () =>
    vi.waitFor(async () => expect((await latest()).status).toBe('completed'), waitOptions)

  test('another process restarts it within a minute, after the lease has expired', async () => {
    hold = true
    const first = await startJobs()
    await startAnalysis()
    await startJobsHere()
    hold = false
    await first.kill()
    expect(await latest()).toMatchObject({ status: 'running', isHealthy: null })
    const [lease] = await query<{ left: number }>(
      backend.databaseUrl,
      'SELECT extract(epoch FROM leased_until - app_now())::float AS left FROM analyses',
    )
    expect(lease!.left).toBeGreaterThan(0)
    expect(lease!.left).toBeLessThanOrEqual(30)
    await moveClock(backend.databaseUrl, '30 s')
    await waitUntilCompleted()
    expect(await latest()).toMatchObject({ taskCount: 40, isHealthy: false })
    expect((await latest()).summary).toContain(text.insights)
    expect((await acme.owner.get('/feedback-analyses')).body.analyses).toHaveLength(1)
  })

  test('a process that stops hands it over immediately', async () => {
    hold = false
    await acme.owner.post('/feedback-analyses', { type: 'refund-approval' })
    const { service } = backend.app
    const [due] = await claimDueAnalyses(service, 'stopping', 1, 30)
    const stopping = new AbortController()
    // Closing aborts the work after ten seconds (due-worker.test.ts).
    const analyst = vi.fn((_, signal: AbortSignal) =>
      once(signal, 'abort').then(() => signal.throwIfAborted()),
    )
    const running = runAnalysis(service, analyst as never, 'stopping', due!, stopping.signal)
    await vi.waitFor(() => expect(analyst).toHaveBeenCalled(), waitOptions)
    stopping.abort()
    await running
    const left = `SELECT leased_until, attempt_count FROM analyses WHERE status <> 'completed'`
    expect(await query(backend.databaseUrl, left)).toEqual([{ leased_until: null, attempt_count: 0 }])
    await startJobsHere()
    await waitUntilCompleted()
  })
})
