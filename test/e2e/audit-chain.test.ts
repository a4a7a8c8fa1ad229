import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { readHeads } from '../../src/cli/read-heads.ts'
import type { AuditEntry } from '../../src/contract/audit.ts'
import { chainAudit, logAuditHeads } from '../../src/server/domain/audit/chain-audit.ts'
import { compareHeads } from '../../src/server/domain/audit/compare-heads.ts'
import { genesisDigest } from '../../src/server/domain/audit/entry-line.ts'
import { operator } from '../../src/server/domain/workspaces/operator.ts'
import { createLogger } from '../../src/server/lib/logger.ts'
import { signHead } from '../../src/server/lib/signed-head.ts'
import { verifyAudit } from '../support/audit.ts'
import { handrail } from '../support/command-line.ts'
import { moveClock } from '../support/rows.ts'
import {
  startService,
  type TestService,
  type TestWorkspace,
  taskPayload,
  testSecrets,
} from '../support/service.ts'
import { query } from '../support/sql.ts'

describe('changes to the audit log are detected', () => {
  let service: TestService
  let acme: TestWorkspace
  let brown: TestWorkspace
  const sql = (text: string, values: unknown[] = []) => query(service.databaseUrl, text, values)
  const chainAndVerify = async (workspace: TestWorkspace) => {
    await chainAudit(service.app.service)
    const verdict = await verifyAudit(workspace)
    expect(verdict.chained).toBe(verdict.rows)
    return verdict
  }

  beforeAll(async () => {
    // Without jobs: only the test chains entries and logs heads.
    service = await startService({}, ['--only', 'backend'])
    acme = await service.workspace()
    brown = await service.workspace()
    for (let i = 0; i < 5; i++) {
      const { taskId } = (await acme.agent.post('/tasks', taskPayload())).body
      await acme.owner.post(`/tasks/${taskId}/handle`, { actionId: 'approve' })
    }
    await chainAndVerify(acme)
    await chainAndVerify(brown)
  })
  afterAll(() => service.stop())

  test('entries are numbered and chained in the order they were written', async () => {
    const { rows, ...verdict } = await verifyAudit(acme)
    expect(rows).toBeGreaterThan(5)
    const { entries } = (await acme.owner.get('/audit?limit=100')).body as { entries: AuditEntry[] }
    expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: rows }, (_, i) => rows - i))
    const { workspaceId } = acme
    const { seq, digest } = entries[0]!
    const signature = expect.stringMatching(/^[0-9a-f]{64}$/)
    const head = { workspaceId, seq, digest, signature, at: expect.any(String) }
    expect(verdict).toEqual({ ok: true, chained: rows, head })
    expect(digest).toMatch(/^[0-9a-f]{64}$/)
    expect(entries.at(-1)).toMatchObject({ seq: 1, action: 'workspace.created', subject: workspaceId })
  })

  describe('direct changes to the database are detected:', () => {
    beforeAll(async () => {
      await sql('CREATE TABLE saved_log AS TABLE audit_log')
      await sql('CREATE TABLE saved_heads AS TABLE audit_heads')
    })
    afterEach(async () => {
      await sql('DELETE FROM audit_log')
      await sql('INSERT INTO audit_log TABLE saved_log')
      await sql('DELETE FROM audit_heads')
      await sql('INSERT INTO audit_heads TABLE saved_heads')
      expect(await verifyAudit(acme)).toMatchObject({ ok: true })
    })

    const ours = 'workspace_id = $1'
    const changes = {
      id: `'aud_another'`,
      at: `at + interval '1 microsecond'`,
      actor: `'usr_another'`,
      action: `'task.cancelled'`,
      subject: `'tsk_another'`,
      from_address: 'NULL',
      details: `'{"actionId":"decline"}'`,
      previous: `repeat('0', 64)`,
      digest: `repeat('0', 64)`,
    }
    test.each(Object.entries(changes))('a changed %s', async (column, value) => {
      await sql(`UPDATE audit_log SET ${column} = ${value} WHERE ${ours} AND seq = 4`, [acme.workspaceId])
      expect(await verifyAudit(acme)).toMatchObject({ ok: false, firstBroken: { seq: 4, what: 'changed' } })
    })

    test('by an operator at the command line, without a session', async () => {
      const verify = (...words: string[]) => handrail(service.databaseUrl, ['audit', 'verify', ...words])
      await sql(`DELETE FROM audit_log WHERE ${ours} AND seq = 4`, [acme.workspaceId])
      const [all, other] = await Promise.all([verify('--json'), verify('--workspace', brown.workspaceId)])
      const { head, rows } = await verifyAudit(brown)
      expect({ code: all.code, ...JSON.parse(all.output) }).toEqual({
        code: 1,
        ok: false,
        workspaces: expect.arrayContaining([
          expect.objectContaining({
            workspaceId: acme.workspaceId,
            ok: false,
            firstBroken: { seq: 4, what: 'missing' },
          }),
          expect.objectContaining({ workspaceId: brown.workspaceId, ok: true, head }),
        ]),
      })
      expect(other).toMatchObject({
        code: 0,
        errors: '',
        output: expect.stringMatching(
          new RegExp(
            `^ok +${brown.workspaceId}.*${rows} chained entries, consistent with the signed head\\.\\n +Head: ${head!.seq} ${head!.digest}\\n`,
          ),
        ),
      })
      expect(other.output).not.toContain(acme.workspaceId)
    })

    type Case = [string, string | string[], (last: number) => { seq: number; what: string }]
    const cases: Case[] = [
      ['a deleted row in the middle', `DELETE FROM audit_log WHERE ${ours} AND seq = 4`, missing(4)],
      ['a deleted first row', `DELETE FROM audit_log WHERE ${ours} AND seq = 1`, missing(1)],
      [
        'deleted rows at the end',
        `DELETE FROM audit_log WHERE ${ours} AND seq > (SELECT max(seq) - 2 FROM audit_log WHERE ${ours})`,
        (last) => ({ seq: last - 1, what: 'missing' }),
      ],
      [
        'all rows and the head deleted',
        [`DELETE FROM audit_log WHERE ${ours}`, `DELETE FROM audit_heads WHERE ${ours}`],
        missing(1),
      ],
      [
        'a deleted row, with the later ones renumbered',
        [
          `DELETE FROM audit_log WHERE ${ours} AND seq = 4`,
          `UPDATE audit_log SET seq = 4 WHERE ${ours} AND seq = 5`,
          `UPDATE audit_log SET seq = 5 WHERE ${ours} AND seq = 6`,
        ],
        () => ({ seq: 4, what: 'changed' }),
      ],
      [
        'two swapped rows',
        `WITH a AS (SELECT * FROM audit_log WHERE ${ours} AND seq = 4),
              b AS (SELECT * FROM audit_log WHERE ${ours} AND seq = 5)
         UPDATE audit_log SET subject = other.subject, details = other.details, at = other.at
         FROM (SELECT 4 AS new_seq, * FROM b UNION ALL SELECT 5, * FROM a) other
         WHERE audit_log.workspace_id = $1 AND audit_log.seq = other.new_seq`,
        () => ({ seq: 4, what: 'changed' }),
      ],
      [
        'a row added after the head',
        `INSERT INTO audit_log (id, workspace_id, actor, action, subject, seq, previous, digest)
         SELECT 'aud_another', $1, actor, action, subject, seq + 1, digest, digest FROM audit_log
         WHERE ${ours} ORDER BY seq DESC LIMIT 1`,
        (last) => ({ seq: last + 1, what: 'added' }),
      ],
      ...['0', '-9223372036854775808'].map(
        (seq): Case => [
          `a row added before the first, with the number ${seq}`,
          `INSERT INTO audit_log (id, workspace_id, actor, action, subject, seq, previous, digest)
         VALUES ('aud_another', $1, 'service', 'task.expired', 'tsk_another', ${seq}, '', '')`,
          () => ({ seq: Number(seq), what: 'added' }),
        ],
      ),
      [
        'a row with a recomputed digest, while the later ones are unchanged',
        `UPDATE audit_log SET actor = 'usr_another', digest = encode(sha256(convert_to(concat('{"seq":4,"auditId":"', id,
           '","at":"', to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS'), 'Z","actor":"usr_another","action":"', action,
           '","subject":"', subject, '"', ',"from":"' || from_address || '"', ',"details":' || details,
           ',"previous":"', previous, '"'), 'UTF8')), 'hex')
         WHERE ${ours} AND seq = 4`,
        () => ({ seq: 4, what: 'replaced' }),
      ],
      [
        'a replaced head',
        `UPDATE audit_heads SET digest = repeat('0', 64) WHERE ${ours}`,
        (last) => ({ seq: last, what: 'replaced' }),
      ],
      [
        'a head reset to an earlier entry',
        `UPDATE audit_heads SET seq = 3 WHERE ${ours}`,
        () => ({ seq: 3, what: 'replaced' }),
      ],
      [
        'deleted rows at the end, with the last remaining one copied into the head',
        [
          `DELETE FROM audit_log WHERE ${ours} AND seq > 3`,
          `UPDATE audit_heads SET seq = 3, digest = (SELECT digest FROM audit_log WHERE ${ours} AND seq = 3) WHERE ${ours}`,
        ],
        () => ({ seq: 3, what: 'unsigned' }),
      ],
      [
        'all rows and the head deleted, with a new creation entry to start a chain',
        [
          `DELETE FROM audit_log WHERE ${ours}`,
          `DELETE FROM audit_heads WHERE ${ours}`,
          `INSERT INTO audit_log (id, workspace_id, actor, action, subject) VALUES ('aud_1', $1, 'usr_1', 'workspace.created', $1)`,
        ],
        () => ({ seq: 1, what: 'unsigned' }),
      ],
    ]
    function missing(seq: number) {
      return () => ({ seq, what: 'missing' })
    }
    test.each(cases)('%s', async (_, statements, firstBroken) => {
      const { head } = await verifyAudit(acme)
      for (const statement of [statements].flat()) await sql(statement, [acme.workspaceId])
      expect(await verifyAudit(acme)).toMatchObject({ ok: false, firstBroken: firstBroken(head!.seq) })
      expect(await verifyAudit(brown)).toMatchObject({ ok: true })
    })

    test('all rows and the head deleted: later entries do not start a new chain', async () => {
      await sql(`DELETE FROM audit_log WHERE ${ours}`, [acme.workspaceId])
      await sql(`DELETE FROM audit_heads WHERE ${ours}`, [acme.workspaceId])
      await acme.owner.post('/api-keys', { name: 'after it' })
      expect(await chainAudit(service.app.service)).toBe(false)
      expect(await verifyAudit(acme)).toMatchObject({
        ok: false,
        chained: 0,
        firstBroken: { seq: 1, what: 'missing' },
      })
    })

    test('nor with a restored first head', async () => {
      const { workspaceId } = acme
      const digest = genesisDigest(workspaceId)
      const signature = signHead({ workspaceId, seq: 0, digest }, testSecrets.ENCRYPTION_KEY)
      await sql(`DELETE FROM audit_log WHERE ${ours}`, [workspaceId])
      await sql(`UPDATE audit_heads SET seq = 0, digest = $2, signature = $3 WHERE ${ours}`, [
        ...[workspaceId, digest, signature],
      ])
      await acme.owner.post('/api-keys', { name: 'after it' })
      expect(await chainAudit(service.app.service)).toBe(false)
      expect(await verifyAudit(acme)).toMatchObject({ firstBroken: { seq: 1, what: 'missing' } })
    })

    test('a foreign head is not continued, so that we never sign on top of it', async () => {
      await sql(`UPDATE audit_heads SET signature = repeat('0', 64) WHERE ${ours}`, [acme.workspaceId])
      const before = await verifyAudit(acme)
      expect(before).toMatchObject({ ok: false, firstBroken: { what: 'unsigned' } })
      await acme.owner.post('/api-keys', { name: 'after it' })
      expect(await chainAudit(service.app.service)).toBe(false)
      expect(await verifyAudit(acme)).toMatchObject({ chained: before.chained, head: before.head })
    })

    test('an older state with its own signed head, by heads stored elsewhere', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'handrail-heads-'))
      const lines: string[] = []
      const log = createLogger('info', { write: (line) => void lines.push(line) })
      const logHeads = async () => {
        await moveClock(service.databaseUrl, '61 s')
        await logAuditHeads({ ...service.app.service, log })
      }
      const save = async (name: string, text: string) => {
        await writeFile(join(folder, name), text)
        return join(folder, name)
      }
      const verifyAgainst = async (file: string, ...words: string[]) => {
        const command = ['audit', 'verify', '--json', '--against', file, ...words]
        const { code, output } = await handrail(service.databaseUrl, command)
        return { code, ...JSON.parse(output) }
      }
      try {
        const old = (await sql(`SELECT * FROM audit_heads WHERE ${ours}`, [acme.workspaceId]))[0]!
        await logHeads()
        await acme.owner.post('/api-keys', { name: 'to be rolled back' })
        const { head } = await chainAndVerify(acme)
        await logHeads()
        const newest = { workspaceId: acme.workspaceId, seq: head!.seq, digest: head!.digest }
        const ofAcme = lines.filter((line) => line.includes(acme.workspaceId)).map((line) => JSON.parse(line))
        expect(ofAcme.at(-1)).toMatchObject({ ...newest, signature: head!.signature })
        const [logged, exported, edited] = await Promise.all([
          save('service.log', lines.map((line) => `Nov 15 09:30:00 host handrail[1]: ${line}`).join('')),
          save('verdict.json', JSON.stringify({ ok: true, head }, null, 2)),
          save('edited.log', lines.join('').replaceAll(head!.digest, 'f'.repeat(64))),
        ])
        const confirmed = { ok: true, against: { heads: expect.any(Number) } }
        const ofThis = (found: object) => expect.arrayContaining([expect.objectContaining(found)])
        expect(await verifyAgainst(logged)).toMatchObject({
          ...{ code: 0, ok: true, unknownWorkspaces: [] },
          workspaces: ofThis({ workspaceId: acme.workspaceId, ...confirmed }),
        })

        const later = `DELETE FROM audit_log WHERE ${ours} AND (seq IS NULL OR seq > $2)`
        await sql(later, [acme.workspaceId, old.seq])
        await sql(`UPDATE audit_heads SET seq = $2, digest = $3, signature = $4 WHERE ${ours}`, [
          ...[acme.workspaceId, old.seq, old.digest, old.signature],
        ])
        expect(await verifyAudit(acme)).toMatchObject({ ok: true })
        const missing = { ok: false, against: { firstBroken: { seq: newest.seq, what: 'missing' } } }
        const [byLog, byExport] = await Promise.all([
          verifyAgainst(logged),
          verifyAgainst(exported, '--workspace', acme.workspaceId),
        ])
        expect(byLog.workspaces.find(({ ok }: { ok: boolean }) => !ok)).toMatchObject(missing)
        expect(byExport).toMatchObject({ code: 1, workspaces: [missing] })
        const { workspaceId } = acme
        const inEdited = (await readHeads(edited)).filter((one) => one.workspaceId === workspaceId)
        const ofEdited = inEdited.map((one) => ({ ...one, workspaceId }))
        const verdict = await compareHeads(service.app.service, operator(workspaceId), ofEdited)
        expect(verdict).toMatchObject({ seq: newest.seq, what: 'unsigned' })
      } finally {
        await rm(folder, { recursive: true })
      }
    })

    test('a chain copied from another workspace', async () => {
      const both = [acme.workspaceId, brown.workspaceId]
      for (const table of ['audit_log', 'audit_heads']) {
        await sql(`DELETE FROM ${table} WHERE ${ours}`, [acme.workspaceId])
        await sql(`UPDATE ${table} SET workspace_id = $1 WHERE workspace_id = $2`, both)
      }
      expect(await verifyAudit(acme)).toMatchObject({ ok: false, firstBroken: { seq: 1, what: 'replaced' } })
    })

    test('a deleted head: nothing new is chained in that workspace, while others continue', async () => {
      await sql(`DELETE FROM audit_heads WHERE ${ours}`, [acme.workspaceId])
      await acme.owner.post('/api-keys', { name: 'after it' })
      await brown.owner.post('/api-keys', { name: 'after it' })
      expect(await chainAudit(service.app.service)).toBe(false)
      const { head, ...verdict } = await verifyAudit(acme)
      expect(verdict).toMatchObject({ ok: false, firstBroken: { seq: 1, what: 'added' } })
      expect(verdict.chained).toBe(verdict.rows - 1)
      expect(head).toBeUndefined()
      expect((await chainAndVerify(brown)).ok).toBe(true)
    })
  })

  test('entries from before the chain are chained once, also by concurrent processes', async () => {
    const count = 1_700
    const old = await service.workspace()
    await sql(
      `INSERT INTO audit_log (id, workspace_id, at, actor, action, subject)
       SELECT 'aud_old' || n, $1, timestamptz '2026-01-01' + n * interval '1 second', 'service', 'task.expired', 'tsk_' || n
       FROM generate_series(1, ${count}) n`,
      [old.workspaceId],
    )
    const { service: inside } = service.app
    await Promise.all([chainAudit(inside), chainAudit(inside), chainAudit(inside)])
    const verdict = await chainAndVerify(old)
    expect(verdict).toMatchObject({ ok: true, head: { seq: verdict.rows } })
    const outOfOrder = await sql(
      `SELECT count(*)::int AS count FROM audit_log a JOIN audit_log b ON b.workspace_id = $1 AND b.seq = a.seq + 1
       WHERE a.workspace_id = $1 AND a.at > b.at AND b.id LIKE 'aud_old%' AND a.id LIKE 'aud_old%'`,
      [old.workspaceId],
    )
    expect(outOfOrder).toEqual([{ count: 0 }])
    expect(verdict.rows).toBeGreaterThan(count)
  })

  test('unsigned heads are signed by the first start and by no later one', async () => {
    const { workspaceId } = brown
    const before = await chainAndVerify(brown)
    const unsign = () => sql(`UPDATE audit_heads SET signature = '' WHERE workspace_id = $1`, [workspaceId])
    await unsign()
    await sql(`DELETE FROM service_facts WHERE name = 'audit_heads_signed'`)
    const start = async () =>
      (await startService({ DATABASE_URL: service.databaseUrl }, ['--only', 'backend'])).stop()
    await start()
    expect(await verifyAudit(brown)).toEqual(before)
    await unsign()
    await start()
    expect(await verifyAudit(brown)).toMatchObject({ ok: false, firstBroken: { what: 'unsigned' } })
    await sql('UPDATE audit_heads SET signature = $2 WHERE workspace_id = $1', [
      workspaceId,
      before.head!.signature,
    ])
  })

  test('changed heads are written to the service log once per minute', async () => {
    const logged: unknown[] = []
    const log = { info: (facts: unknown) => logged.push(facts) } as never
    const logHeads = () => logAuditHeads({ ...service.app.service, log })
    await moveClock(service.databaseUrl, '61 s')
    await logHeads()
    logged.length = 0
    await acme.owner.post('/api-keys', { name: 'something changes' })
    const { head } = await chainAndVerify(acme)
    await logHeads()
    expect(logged).toEqual([])
    await moveClock(service.databaseUrl, '61 s')
    await Promise.all([logHeads(), logHeads()])
    const { at: _, ...ours } = head!
    const ofAcme = () => logged.filter((facts) => (facts as typeof ours).workspaceId === acme.workspaceId)
    expect(ofAcme()).toEqual([ours])
    await moveClock(service.databaseUrl, '61 s')
    await logHeads()
    expect(ofAcme()).toHaveLength(1)
  })
})
