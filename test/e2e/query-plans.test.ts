import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fill } from '../../bench/large-data/fill.ts'
import { createPlanReader, explaining } from '../support/explained.ts'
import { createDatabase, startService, type TestService, type TestWorkspace } from '../support/service.ts'

const singles = ['status=open','status=handled','status=cancelled','type=reply-approval','type=incident','app=support','app=pilot','version=2026.2.1','version=2026.12.0','priority=urgent','priority=normal','priority=low',
 'threadId=the-giant-thread','threadId=project-3', 'createdBefore=B','createdAfter=A']
const members = ['handledBy=person-0@example.com','handledBy=person-39@example.com','actionId=approve','actionId=service:mark-done','handledAfter=A','handledBefore=B','sort=handledAt']

describe('x', () => {
  let service: TestService
  let large: TestWorkspace
  let plansOf: ReturnType<typeof createPlanReader>
  let drop: () => Promise<void>
  beforeAll(async () => {
    const database = await createDatabase()
    drop = database.drop
    service = await startService({ DATABASE_URL: explaining(database.url) })
    large = await service.workspace()
    const t = performance.now()
    await fill({ databaseUrl: database.url, workspaceId: large.workspaceId, tasks: Number(process.env.TASKS ?? 100000) })
    console.log('fill', performance.now() - t)
    plansOf = createPlanReader(service.house.service.database.pool)
  })
  afterAll(async () => { await service.stop(); await drop() })

  async function show(path: string) {
    let answer: any
    const plans = await plansOf(async () => { answer = await large.owner.get(path) })
    let cursor = answer.body.nextCursor
    const out = []
    for (const p of plans) {
      const rows = p.reads.reduce((s, r) => s + r.rows, 0)
      if (rows > Number(process.env.SHOW ?? 620) || p.pages > 1200 || p.reads.some((r) => r.by === 'Seq Scan' && r.rows > 300)) out.push(`   ${rows} rows ${p.pages} pages ${p.reads.map((r) => `${r.of}:${r.by}:${r.rows}`).join(' | ')}`)
    }
    if (out.length || answer.status !== 200) console.log(`${answer.status} ${path.slice(0,100)} n=${(answer.body.tasks??answer.body.rows??answer.body.entries)?.length} plans=${plans.length}\n${out.join('\n')}`)
    return cursor
  }
  test('look', async () => {
    const A = new Date(Date.now() - 3 * 86400e3).toISOString(), B = new Date(Date.now() - 60 * 86400e3).toISOString()
    const all = [...singles, ...members].map((s) => s.replace('=A', '=' + A).replace('=B', '=' + B))
    await show('/tasks')
    for (const [i, a] of all.entries()) {
      await show(`/tasks?${a}`)
      for (const b of all.slice(i + 1)) if (a.split('=')[0] !== b.split('=')[0]) await show(`/tasks?${a}&${b}`)
    }
  })
  test('others', async () => {
    let c = await show('/inbox'); c = await show('/inbox?cursor=' + c); c = await show('/inbox?cursor=' + c)
    for (let i = 0; i < 30 && c; i++) c = await show('/inbox?cursor=' + c)
    c = await show('/threads/the-giant-thread/timeline'); await show('/threads/the-giant-thread/timeline?cursor=' + c)
    c = await show('/audit'); await show('/audit?cursor=' + c)
    for (const q of ['customer','refund','zanzibar','kumquat','customer refund','customer zanzibar','cust','zanz','re','customer kumquat','5']) { c = await show('/tasks/search?query=' + q); await show(`/tasks/search?query=${q}&status=open`); await show(`/tasks/search?query=${q}&type=incident`);  if (c) await show(`/tasks/search?query=${q}&cursor=` + c) }
  })
})
