import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyAudit, waitForAuditChain } from '../support/audit.ts'
import { moveClock } from '../support/rows.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'
import { query } from '../support/sql.ts'

const sha256 = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex')
const linesOf = (text: string) => text.trimEnd().split('\n')

// Numbers, key orders and characters that other JSON serializers write differently.
const context = {
  data: {
    ...{ b: 1.0, a: 1e21, '2': 'é\u2028"\\', '1': [-0, 0.1], note: '<b>\t</b>' },
    answers: [{ text: 'one' }, { text: 'two' }],
  },
  ui: { answers: { 'ui:widget': 'compare' } },
}

describe('the exported audit log can be verified by others', () => {
  let service: TestService
  let acme: TestWorkspace
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'handrail-audit-'))
    service = await startService()
    acme = await service.workspace()
    await acme.owner.patch('/workspace', { name: '=SUM(1), "Fjörd" & ünder' })
    // More than one page of the export.
    await query(
      service.databaseUrl,
      `INSERT INTO audit_log (id, workspace_id, actor, action, subject)
       SELECT 'aud_' || n, $1, 'service', 'task.expired', 'tsk_' || n FROM generate_series(1, 1100) n`,
      [acme.workspaceId],
    )
    await waitForAuditChain(acme)
  })
  afterAll(async () => {
    await service.stop()
    await rm(folder, { recursive: true })
  })

  /** Runs the program from docs/audit.md. Returns its output. */
  async function runVerifier(text: string, workspaceId = acme.workspaceId): Promise<string> {
    const page = await readFile(new URL('../../docs/audit.md', import.meta.url), 'utf8')
    const program = /```js\n(.*?)```/s.exec(page)![1]!
    await writeFile(join(folder, 'verify-audit.mjs'), program)
    await writeFile(join(folder, 'audit.jsonl'), text)
    const args = ['verify-audit.mjs', 'audit.jsonl', workspaceId]
    return await promisify(execFile)(process.execPath, args, { cwd: folder }).then(
      ({ stdout }) => stdout,
      ({ stderr }) => stderr,
    )
  }

  test('the program in the docs verifies an export and computes the same head', async () => {
    const { head } = await verifyAudit(acme)
    const { body, headers } = await acme.owner.get('/audit/export?format=jsonl')
    expect(headers.get('content-type')).toBe('application/x-ndjson')
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="handrail-audit-to-${head!.seq}.jsonl"`,
    )
    expect(await runVerifier(body)).toBe(`${head!.seq} entries verified. Head: ${head!.digest}\n`)
    const lines = linesOf(body)
    const broken = {
      changed: lines.with(4, lines[4]!.replace('"service"', '"usr_1"')),
      removed: lines.toSpliced(4, 1),
    }
    for (const [how, others] of Object.entries(broken))
      expect(await runVerifier(`${others.join('\n')}\n`), how).toBe('Broken at entry 5.\n')
    expect(await runVerifier(body, 'wsp_another')).toBe('Broken at entry 1.\n')
  })

  test('filters narrow it, each line keeps its proof, and the export itself is audited', async () => {
    const { body } = await acme.owner.get('/audit/export?format=jsonl&action=workspace.renamed')
    const [line, ...others] = linesOf(body)
    expect(others).toEqual([])
    const { digest, ...entry } = JSON.parse(line!)
    expect(entry).toMatchObject({
      action: 'workspace.renamed',
      details: { name: '=SUM(1), "Fjörd" & ünder' },
      previous: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    const text = line!.slice(0, line!.lastIndexOf(',"digest":'))
    expect(createHash('sha256').update(text).digest('hex')).toBe(digest)
    const { entries } = (await acme.owner.get('/audit?action=audit.exported&limit=1')).body
    expect(entries[0].details).toEqual({ format: 'jsonl', action: 'workspace.renamed' })
  })

  test('as CSV it contains no spreadsheet formula', async () => {
    const { body, headers } = await acme.owner.get('/audit/export?format=csv&subject=tsk_7')
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const [head, row] = body.split('\r\n')
    expect(head).toBe('seq,auditId,at,actor,action,subject,from,details,digest')
    expect(row).toMatch(
      /^"\d+","aud_7","[\d-]+T[\d:.]+Z","service","task.expired","tsk_7","","","[0-9a-f]{64}"$/,
    )
  })

  test('an entry names its subject while that exists', async () => {
    const { keyId } = (await acme.owner.post('/api-keys', { name: 'refund-agent' })).body
    const { taskId } = (await acme.agent.post('/tasks', taskPayload({}, { name: 'Refund €40?' }))).body
    await acme.agent.post(`/tasks/${taskId}/cancel`, {})
    const [ofKey] = (await acme.owner.get(`/audit?subject=${keyId}`)).body.entries
    expect(ofKey).toMatchObject({ actorName: 'Olga Owner', subjectName: 'refund-agent' })
    const { groupId } = (await acme.owner.post('/groups', { slug: 'finance', name: 'Finance' })).body
    const [ofGroup] = (await acme.owner.get(`/audit?subject=${groupId}`)).body.entries
    expect(ofGroup).toMatchObject({ action: 'group.created', subjectName: 'Finance' })
    const [ofTask] = (await acme.owner.get(`/audit?subject=${taskId}`)).body.entries
    expect(ofTask).toMatchObject({ actor: expect.stringMatching(/^key_/), subjectName: 'Refund €40?' })
    expect(ofTask.actorName).toBeTypeOf('string')
    const [ofNone] = (await acme.owner.get('/audit?subject=tsk_7')).body.entries
    expect(ofNone).not.toHaveProperty('subjectName')
  })

  describe('an answer is bound to what the person was shown', () => {
    const create = async (more: Record<string, unknown> = {}) =>
      (await acme.agent.post('/tasks', taskPayload({ context, ...more }))).body.taskId as string
    const detailsOf = async (taskId: string) =>
      (await acme.owner.get(`/audit?subject=${taskId}`)).body.entries[0].details
    const digestsOf = async (taskId: string) => {
      const { body } = await acme.agent.get(`/tasks/${taskId}?include=context,actions`)
      expect(body.status).toBe('handled')
      return { contextSha256: sha256(body.context), actionsSha256: sha256(body.actions) }
    }

    test('by digests that both sides can compute, and by the presented order', async () => {
      const taskId = await create()
      const presented = { answers: { order: [1, 0], blind: true } }
      await acme.owner.post(`/tasks/${taskId}/handle`, { actionId: 'approve', presented })
      const digests = await digestsOf(taskId)
      expect(digests.contextSha256).toBe(sha256(context))
      const fieldSha256 = createHash('sha256').update('answers').digest('hex')
      expect(await detailsOf(taskId)).toEqual({
        actionId: 'approve',
        revision: 1,
        ...digests,
        presented: [{ fieldSha256, order: [1, 0], blind: true }],
      })
      await query(service.databaseUrl, 'DELETE FROM task_contents WHERE task_id = $1', [taskId])
      expect(await detailsOf(taskId)).toMatchObject(digests)
    })

    test('a presented value that does not belong to the task is rejected with path and reason', async () => {
      const taskId = await create()
      const claim = async (presented: object) =>
        await acme.owner.post(`/tasks/${taskId}/handle`, { actionId: 'approve', presented })
      const refused = async (presented: object, path: string, message: RegExp) =>
        expect(await claim(presented), path).toMatchObject({
          status: 400,
          body: { errors: [{ path, message: expect.stringMatching(message) }] },
        })
      const shown = (...order: number[]) => ({ order, blind: false })
      await refused({ other: shown(0, 1) }, 'presented.other', /no compare field with this name/)
      await refused({ order: shown(0) }, 'presented.order', /no compare field with this name/)
      for (const order of [[0], [0, 0], [0, 2], [0, 1, 1], []])
        await refused(
          { answers: shown(...order) },
          'presented.answers.order',
          /each index from 0 to 1 exactly once/,
        )
      const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`field${i}`, shown(0, 1)]))
      await refused(many, 'presented', /at most 20 fields/)
      expect((await acme.agent.get(`/tasks/${taskId}`)).body.status).toBe('open')
      expect((await claim({ answers: shown(0, 1) })).status).toBe(200)
    })

    test('a long presented list is stored in the audit log as its digest', async () => {
      const names = Array.from({ length: 1_000 }, (_, i) => i)
      const taskId = await create({
        context: {
          data: { answers: names.map(() => ({})) },
          ui: { answers: { 'ui:widget': 'compare' } },
        },
      })
      const presented = { answers: { order: names.toReversed(), blind: false } }
      await acme.owner.post(`/tasks/${taskId}/handle`, { actionId: 'approve', presented })
      const fieldSha256 = createHash('sha256').update('answers').digest('hex')
      const presentedSha256 = sha256([{ fieldSha256, ...presented.answers }])
      expect(await detailsOf(taskId)).toEqual({
        actionId: 'approve',
        revision: 1,
        ...(await digestsOf(taskId)),
        presentedSha256,
      })
      expect((await acme.agent.get(`/tasks/${taskId}`)).body.handled.presented).toEqual(presented)
    })

    test('however the task was ended', async () => {
      const [done, rejected, late, bare] = [
        await create(),
        await create(),
        await create({ expiresInSeconds: 60, onExpire: { actionId: 'approve' } }),
        await create({ context: undefined }),
      ] as const
      await acme.owner.post(`/tasks/${done}/mark-done`)
      await acme.owner.post(`/tasks/${rejected}/reject`, { feedback: 'no' })
      await acme.owner.post(`/tasks/${bare}/mark-done`)
      await moveClock(service.databaseUrl, '61 seconds')
      await acme.agent.get(`/tasks/${late}?waitSeconds=50`)
      const details = async (taskId: string, actionId: string) => ({
        actionId,
        revision: 1,
        ...(await digestsOf(taskId)),
      })
      expect(await detailsOf(done)).toEqual(await details(done, 'service:mark-done'))
      expect(await detailsOf(rejected)).toEqual(await details(rejected, 'service:reject-request'))
      expect(await detailsOf(late)).toEqual(await details(late, 'approve'))
      const { actions } = (await acme.agent.get(`/tasks/${bare}?include=actions`)).body
      expect(await detailsOf(bare)).toEqual({
        actionId: 'service:mark-done',
        revision: 1,
        actionsSha256: sha256(actions),
      })
    })
  })
})
