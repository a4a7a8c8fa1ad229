import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { exportTasks } from '../../src/server/domain/feedback/export-tasks.ts'
import { insertHandled } from '../support/handled-tasks.ts'
import { startService, type TestService, type TestWorkspace } from '../support/service.ts'
import { query } from '../support/sql.ts'
import { waitOptions } from '../support/wait-options.ts'

const choose = {
  id: 'choose',
  title: 'Choose',
  schema: { type: 'object', properties: { best: { type: 'string', enum: ['a', 'b', 'c', 'none'] } } },
  ui: { best: { 'ui:options': { prompt: 'question' } } },
}
const item = (name: string) => ({ name, response: `Answer of ${name}\nin two lines` })
const context = {
  data: { question: 'What is the capital of Peru?', answers: [item('a'), item('b'), item('c')] },
  ui: { answers: { 'ui:widget': 'compare' } },
}

describe('admins export their data', () => {
  let service: TestService
  let acme: TestWorkspace
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
    const reject = (feedback: string) => ({ actionId: 'service:reject-request', data: { feedback } })
    await insertHandled(service.databaseUrl, acme.workspaceId, [
      ...Array.from({ length: 120 }, (_, i) => ({ app: 'shop', version: `1.${i % 2}`, daysAgo: 1 + i / 10 })),
      { app: 'shop', ...reject('=HYPERLINK("https://evil.example","click")') },
      { app: 'shop', ...reject('  @SUM(A1:A9)') },
      { app: 'shop', ...reject('＝cmd, "quoted"\nand a second line') },
      { app: 'models', actions: [choose], actionId: 'choose', data: { best: 'b' }, context },
      { app: 'models', actions: [choose], actionId: 'choose', data: { best: 'none' }, context },
      {
        app: 'models',
        actions: [choose],
        actionId: 'choose',
        data: { best: 'a' },
        context,
        decidedBy: 'timeout',
      },
      {
        app: 'models',
        actions: [choose],
        actionId: 'choose',
        data: { best: 'c' },
        context,
        decidedBy: 'rule',
      },
    ])
  })
  afterAll(() => service.stop())

  const lines = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))

  test('all handled tasks as JSON lines, oldest first, none twice, with a total for progress', async () => {
    const { status, body, headers } = await acme.owner.get('/export?format=jsonl')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/x-ndjson')
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="handrail-jsonl-[\d-]+\.jsonl"$/,
    )
    expect(headers.get('handrail-export-total')).toBe('127')
    const tasks = lines(body)
    expect(new Set(tasks.map(({ taskId }) => taskId)).size).toBe(127)
    const times = tasks.map(({ handled }) => handled.handledAt)
    expect(times).toEqual(times.toSorted())
    expect(tasks.find(({ app }) => app === 'models')).toMatchObject({
      type: 'refund-approval',
      handled: {
        actionId: 'choose',
        data: { best: 'b' },
        decidedBy: 'human',
        via: 'web',
        outcome: 'neutral',
      },
      context,
      actions: [choose],
    })
  })

  test('tasks with large contexts are read few at a time, and none is left out', async () => {
    const other = await service.workspace()
    const large = { data: { text: 'x'.repeat(400_000) } }
    await insertHandled(
      service.databaseUrl,
      other.workspaceId,
      Array.from({ length: 8 }, (_, i) => ({ context: large, daysAgo: 8 - i })),
    )
    const { workspaceId, owner } = other
    const { userId: id, email, name } = (await owner.get('/me')).body.person
    const { parts } = await exportTasks(
      service.app.service,
      {
        kind: 'person',
        workspaceId,
        id,
        email,
        name,
        emailVerified: true,
        role: 'owner',
        from: '',
        via: 'web',
      },
      { format: 'jsonl' },
    )
    const pages: { taskId: string }[][] = []
    for await (const part of parts) pages.push(lines(part))
    expect(pages.map(({ length }) => length)).toEqual([3, 3, 2])
    expect(new Set(pages.flat().map(({ taskId }) => taskId)).size).toBe(8)
  })

  test('filters narrow it', async () => {
    const { body } = await acme.owner.get('/export?format=jsonl&app=shop&version=1.1')
    expect(lines(body)).toHaveLength(60)
    const day = new Date(Date.now() - 2 * 86_400_000).toISOString()
    const recent = await acme.owner.get(`/export?format=jsonl&app=shop&handledAfter=${day}`)
    expect(lines(recent.body)).toHaveLength(13)
    expect((await acme.owner.get('/export?format=jsonl&app=nothing')).body).toBe('')
  })

  test('CSV opens in a spreadsheet, and no cell is a formula', async () => {
    const { body, headers } = await acme.owner.get(
      '/export?format=csv&app=shop&actionId=service:reject-request',
    )
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    // fetch drops the byte order mark.
    expect(body).toMatch(/^taskId,app,type,version,name,/)
    for (const cell of [
      `"'=HYPERLINK(""https://evil.example"",""click"")"`,
      `"'  @SUM(A1:A9)"`,
      `"'＝cmd, ""quoted""\nand a second line"`,
    ])
      expect(body).toContain(cell)
    expect(body.match(/"negative"/g)).toHaveLength(3)
  })

  test('comparisons become preference pairs; ties, timeouts and rules create none', async () => {
    const { body } = await acme.owner.get('/export?format=preferences')
    const pair = { prompt: context.data.question, chosen: item('b').response, chosenName: 'b' }
    expect(lines(body)).toEqual([
      expect.objectContaining({ ...pair, rejected: item('a').response, rejectedName: 'a' }),
      expect.objectContaining({ ...pair, rejected: item('c').response, rejectedName: 'c' }),
    ])
  })

  test('exports are recorded in the audit log', async () => {
    await acme.owner.get('/export?format=csv&app=shop')
    const { entries } = (await acme.owner.get(`/audit?subject=${acme.workspaceId}&limit=1`)).body
    expect(entries[0]).toMatchObject({ action: 'tasks.exported' })
  })

  test('audit entries of exports name people by id, because entries cannot be erased', async () => {
    const { userId } = (await acme.owner.get('/members')).body.members[0]
    for (const email of [acme.ownerEmail, 'long-gone@example.com'])
      await acme.owner.get(`/export?format=csv&handledBy=${encodeURIComponent(email)}`)
    const { entries } = (await acme.owner.get(`/audit?subject=${acme.workspaceId}&limit=2`)).body
    expect(entries.map(({ details }: { details: object }) => details)).toMatchObject([
      { handledBy: 'not a current member' },
      { handledBy: userId },
    ])
  })

  test('a client that stops reading holds no transaction open, and one that disconnects ends the export', async () => {
    const left = new AbortController()
    const response = await fetch(`${service.url}/api/v1/export?format=jsonl&workspace=${acme.workspaceId}`, {
      headers: { cookie: acme.owner.cookie },
      signal: left.signal,
    })
    const reader = response.body!.getReader()
    await reader.read()
    // The service has other, short transactions; one that stays open would be the export's.
    await vi.waitFor(async () => {
      const [open] = await query<{ count: number }>(
        service.databaseUrl,
        `SELECT count(*)::int AS count FROM pg_stat_activity
         WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
      )
      expect(open!.count).toBe(0)
    }, waitOptions)
    left.abort()
    expect((await acme.owner.get('/me')).status).toBe(200)
  })
})
