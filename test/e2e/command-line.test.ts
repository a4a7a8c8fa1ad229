import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { handrail, handrailProcess } from '../support/command-line.ts'
import { callAs } from '../support/http.ts'
import { createRule, insertAgreement, sendRefund } from '../support/refunds.ts'
import { asOwner } from '../support/rows.ts'
import {
  createDatabase,
  createMigratedDatabase,
  signedIn,
  startService,
  type TestService,
  type TestWorkspace,
  taskPayload,
  testPassword,
} from '../support/service.ts'
import { query } from '../support/sql.ts'

describe('the command line works while the service is running', () => {
  let service: TestService
  let acme: TestWorkspace
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace('Acme')
  })
  afterAll(() => service.stop())

  const run = (...words: string[]) => handrail(service.databaseUrl, words)
  const setupWords = (workspace: string, email: string, password = testPassword) => [
    ...['setup', '--workspace', workspace, '--email', email, '--password', password, '--json'],
  ]
  const setup = (...values: Parameters<typeof setupWords>) => run(...setupWords(...values))

  test('setup creates a workspace, its owner, a key and a webhook secret, and prints exactly these', async () => {
    const words = setupWords('Brown', 'olga@example.com')
    const { code, output, errors } = await handrailProcess(service.databaseUrl, words)
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    const created = JSON.parse(output)
    expect(created).toEqual({
      workspaceId: expect.stringMatching(/^wsp_[0-9a-z]{26}$/),
      email: 'olga@example.com',
      apiKey: expect.stringMatching(/^hrl_[0-9A-Za-z]{38}$/),
      webhookSecret: expect.stringMatching(/^whsec_[0-9A-Za-z+/]{43}=$/),
      url: expect.stringMatching(new RegExp(`^http://.+/w/${created.workspaceId}/inbox$`)),
    })
    const agent = callAs(service.url, { 'x-api-key': created.apiKey })
    expect((await agent.post('/tasks', taskPayload())).status).toBe(201)
    const owner = await signedIn(service.url, 'olga@example.com')
    expect((await owner.get('/me')).body.workspaces).toEqual([
      { workspaceId: created.workspaceId, name: 'Brown', role: 'owner' },
    ])
  })

  test('setup with an existing workspace adds the person as a member and prints the same webhook secret', async () => {
    const again = JSON.parse((await setup('Acme', 'mara@example.com')).output)
    expect(again).toMatchObject({ workspaceId: acme.workspaceId, webhookSecret: acme.webhookSecret })
    expect(again.apiKey).not.toBe(acme.apiKey)
    const words = ['--workspace', 'Acme', '--email', 'mara@example.com', '--password', testPassword]
    expect((await run('setup', ...words)).output).toContain('already existed')
    // Erasing a person does not check the names of keys.
    const agent = callAs(service.url, { 'x-api-key': again.apiKey })
    expect((await agent.get('/me')).body.key.name).not.toContain('@')
    const { members } = (await acme.owner.get('/members')).body
    expect(members).toContainEqual(expect.objectContaining({ email: 'mara@example.com', role: 'member' }))
  })

  test('setup cannot take over an account: a different password is rejected with an explanation', async () => {
    const { code, output, errors } = await setup('Green', acme.ownerEmail, 'not their password')
    expect({ code, output }).toEqual({ code: 1, output: '' })
    expect(errors).toMatch(/different password.*existing password.*password-reset/)
    expect(errors).not.toMatch(/ at |node:/)
  })

  test('the list of keys shows which have expired, expire, or live longer than the workspace allows', async () => {
    const beta = await service.workspace()
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
    const create = async (name: string, more: object = {}) =>
      (await beta.owner.post('/api-keys', { name, ...more })).body.keyId as string
    const [forever, hourly, expired] = [
      await create('forever'),
      await create('hourly', { expiresAt }),
      await create('expired', { expiresAt }),
    ]
    const past = '2026-01-02T03:04:05.000Z'
    await asOwner(service.databaseUrl, (client) =>
      client.query('UPDATE api_keys SET expires_at = $2 WHERE id = $1', [expired, past]),
    )
    await beta.owner.patch('/workspace', { maxKeyDays: 30 })
    const { output } = await run('keys', 'list', '--workspace', beta.workspaceId)
    const stateOf = (keyId: string) =>
      output
        .split('\n')
        .find((line) => line.startsWith(keyId))
        ?.split('  ')[2]
    expect(stateOf(expired)).toBe(`expired ${past}`)
    expect(stateOf(hourly)).toBe(`never used, expires ${expiresAt}`)
    expect(stateOf(forever)).toBe('never used, valid for longer than the workspace allows: rotate it')
  })

  test('without --workspace, a command names up to 20 of several workspaces', async () => {
    const add = (count: number, name: string) =>
      query(
        service.databaseUrl,
        `INSERT INTO workspaces (id, name) SELECT 'wsp_' || left(md5($2 || i), 26), $2 FROM generate_series(1, $1) i`,
        [count, name],
      )
    await add(1, 'Aachen')
    const { code, output, errors } = await run('keys', 'list')
    expect({ code, output }).toEqual({ code: 2, output: '' })
    expect(errors).toMatch(/^handrail keys: There are several workspaces: "Aachen" \(wsp_\w{26}\), /)
    expect(errors).toContain(`"Acme" (${acme.workspaceId})`)
    expect(errors).toContain(' Choose one with --workspace.\n')
    expect(errors).not.toContain(' more')
    await add(20, 'Aachen again')
    const { errors: long } = await run('keys', 'list')
    expect(long.match(/\(wsp_/g)).toHaveLength(20)
    expect(long).toMatch(/ and \d+ more\. Choose one/)
  })

  test('keys can be listed, created, rotated and revoked', async () => {
    const keys = (...words: string[]) => run('keys', ...words, '--workspace', 'Acme', '--json')
    const created = JSON.parse(
      (await keys('create', 'by hand', '--scopes', 'analysis:read,tasks:read')).output,
    )
    expect((await callAs(service.url, { 'x-api-key': created.key }).get('/me')).body.key).toEqual({
      keyId: created.keyId,
      name: 'by hand',
      scopes: ['tasks:read', 'analysis:read'],
    })
    const rotated = JSON.parse((await keys('rotate', created.keyId)).output)
    expect(rotated.keyId).toBe(created.keyId)
    expect((await callAs(service.url, { 'x-api-key': rotated.key }).get('/me')).status).toBe(200)
    const listed = await keys('list')
    expect(listed.output).toContain(created.keyId)
    const again = await run('keys', 'rotate', created.keyId, '--workspace', 'Acme')
    expect(again.output).toMatch(
      /^The old secret stays valid until 2\d{3}-.*Z\. If it has leaked, revoke the key/m,
    )
    for (const { key } of [created, rotated]) expect(listed.output).not.toContain(key)
    const limited = JSON.parse(
      (await keys('create', 'limited', '--apps', 'refunds,invoices', '--cidrs', '198.51.100.7')).output,
    )
    expect(limited).toMatchObject({ apps: ['refunds', 'invoices'], cidrs: ['198.51.100.7/32'] })
    expect((await run('keys', 'list', '--workspace', 'Acme')).output).toContain(
      'limited  (apps: refunds, invoices; networks: 198.51.100.7/32)',
    )
    expect(await keys('create', 'k', '--cidrs', 'anywhere')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('--cidrs'),
    })
    expect(await keys('create', 'k', '--scopes', 'admin')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('--scopes'),
    })
    expect((await keys('revoke', created.keyId)).code).toBe(0)
    const { entries } = (await acme.owner.get(`/audit?subject=${created.keyId}`)).body
    expect(entries).toMatchObject([
      { action: 'api_key.revoked', actor: 'service', from: 'command line' },
      { action: 'api_key.rotated' },
      { action: 'api_key.rotated' },
      { action: 'api_key.created' },
    ])
  })

  test('a password reset ends the old password and all sessions', async () => {
    const person = await acme.person('member')
    const { code, output } = await run('password-reset', '--email', person.email, '--json')
    expect(code).toBe(0)
    const { password } = JSON.parse(output)
    expect((await person.get('/me')).status).toBe(401)
    await expect(signedIn(service.url, person.email)).rejects.toThrow('401')
    const response = await fetch(`${service.url}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: service.url },
      body: JSON.stringify({ email: person.email, password }),
    })
    expect(response.status).toBe(200)
    const chosen = await run('password-reset', '--email', person.email, '--password', testPassword, '--json')
    expect(JSON.parse(chosen.output)).toEqual({ email: person.email })
    expect((await signedIn(service.url, person.email)).cookie).not.toBe('')
    const lifted = await run('password-reset', '--email', person.email, '--disable-two-factor')
    expect(lifted).toMatchObject({
      code: 0,
      output: expect.stringContaining('Two-factor authentication was already off.'),
    })
  })

  test('a task can be answered in a member’s name, by the rules of the inbox, and records that it was the command line', async () => {
    const { taskId } = (await acme.agent.post('/tasks', taskPayload())).body
    const answer = (...words: string[]) => run('answer', taskId, ...words, '--as', acme.ownerEmail)
    const rejected = (await acme.agent.post('/tasks', taskPayload())).body.taskId
    const reject = (...words: string[]) =>
      run('answer', rejected, '--action', 'service:reject-request', ...words, '--as', acme.ownerEmail)
    const [wrong, unknown, missing, stranger, silent] = await Promise.all([
      answer('--action', 'decline', '--data', '{}'),
      answer('--action', 'burn'),
      run('answer', 'tsk_0123456789abcdefghjkmnpqrs', '--action', 'approve', '--as', acme.ownerEmail),
      run('answer', taskId, '--action', 'approve', '--as', 'nobody@example.com'),
      reject(),
    ])
    expect(silent).toMatchObject({ code: 2, errors: expect.stringContaining('feedback') })
    expect(await reject('--data', '{"feedback":"Not ours"}')).toMatchObject({ code: 0 })
    const { actionId, data } = (await acme.agent.get(`/tasks/${rejected}`)).body.handled
    expect([actionId, data]).toEqual(['service:reject-request', { feedback: 'Not ours' }])
    expect(missing).toEqual({
      code: 1,
      output: '',
      errors: 'handrail answer: There is no such task. Check the id.\n',
    })
    expect(stranger).toMatchObject({ code: 1, errors: expect.stringContaining('not a member') })
    expect(wrong).toMatchObject({ code: 1, errors: expect.stringContaining('data.reason') })
    expect(unknown).toMatchObject({ code: 1, errors: expect.stringContaining('approve, decline') })
    // Only now, because the commands above may take longer than a wait lasts.
    const waiting = acme.agent.get(`/tasks/${taskId}?waitSeconds=50`)
    const right = await answer('--action', 'decline', '--data', '{"reason":"Too late"}')
    expect(right).toMatchObject({ code: 0, output: expect.stringContaining('Decline') })
    expect((await waiting).body).toMatchObject({
      status: 'handled',
      handled: { actionId: 'decline', data: { reason: 'Too late' }, handledBy: acme.ownerEmail, via: 'cli' },
    })
  })

  test('rules pause-all pauses the rules of a workspace while nodes answer tasks', async () => {
    await insertAgreement(service, acme)
    const { ruleId } = await createRule(acme.owner)
    await acme.owner.put('/notifications/chat', { url: 'https://chat.invalid/hook', for: 'all' })
    const pauseAll = () => run('rules', 'pause-all', '--workspace', 'Acme')
    expect(await pauseAll()).toMatchObject({
      code: 0,
      output: '1 rule was paused. Its tasks go to people now.\n',
    })
    expect((await acme.owner.get(`/rules/${ruleId}`)).body).toMatchObject({
      state: 'paused',
      pausedBecause: 'person',
    })
    const { rows: notices } = await asOwner(service.databaseUrl, (client) =>
      client.query(`SELECT body FROM deliveries WHERE event_type = 'service/rule_paused'`),
    )
    expect(notices).toMatchObject([{ body: expect.stringContaining('or the operator at the command line.') }])
    expect((await acme.owner.delete('/notifications/chat')).status).toBe(204)
    expect((await sendRefund(acme.agent)).status).toBe('open')
    expect((await pauseAll()).output).toBe('No rule is active.\n')
    expect(await run('rules', 'resume', '--workspace', 'Acme')).toMatchObject({ code: 2 })
  })

  test('sign-in-link prints a link that signs the person in once', async () => {
    const created = await run('sign-in-link', '--email', acme.ownerEmail.toUpperCase(), '--json')
    expect(created.code).toBe(0)
    const { email, link, minutes } = JSON.parse(created.output)
    expect({ email, minutes }).toEqual({ email: acme.ownerEmail, minutes: 15 })
    const use = () => callAs(service.url, {}).post('/sign-in-links/use', { token: link.split('#')[1] })
    const used = await use()
    expect(used.status).toBe(200)
    const cookie = used.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    expect((await callAs(service.url, { cookie }).get('/me')).body.person.email).toBe(acme.ownerEmail)
    expect((await use()).status).toBe(403)
    const unknown = await run('sign-in-link', '--email', 'nobody@example.com')
    expect(unknown).toMatchObject({ code: 1, output: '' })
    expect(unknown.errors).not.toMatch(/ at |node:/)
  })
})

test('a mistyped data folder is reported and does not become an empty database', async () => {
  const folder = join(tmpdir(), `handrail-never-${process.pid}`)
  const [doctor, list] = await Promise.all([
    handrail('', ['doctor'], { DATA_DIR: folder }),
    handrail('', ['keys', 'list'], { DATA_DIR: folder }),
  ])
  expect(doctor).toMatchObject({
    code: 1,
    output: expect.stringMatching(/FAILED +database +There is no database/),
  })
  expect(list).toMatchObject({ code: 1, output: '', errors: expect.stringContaining('Set DATA_DIR') })
  expect(existsSync(folder)).toBe(false)
})

test('audit verify reports the saved head of a workspace that an empty database lost', async () => {
  const database = await createMigratedDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'handrail-heads-'))
  const file = join(folder, 'head.json')
  try {
    const workspaceId = `wsp_${'0'.repeat(26)}`
    await writeFile(file, JSON.stringify({ workspaceId, seq: 1, digest: 'a'.repeat(64) }))
    const { code, output } = await handrail(database.url, ['audit', 'verify', '--against', file])
    expect(code).toBe(1)
    expect(output).toMatch(/^BROKEN +wsp_.*has no such workspace\.\nVerification failed\./)
  } finally {
    await database.drop()
    await rm(folder, { recursive: true })
  }
})

test('migrate sets up an empty database, and a second run changes nothing', async () => {
  const database = await createDatabase()
  try {
    for (let time = 0; time < 2; time++) {
      expect(await handrail(database.url, ['migrate'])).toEqual({
        code: 0,
        output: 'The database is up to date.\n',
        errors: '',
      })
    }
  } finally {
    await database.drop()
  }
})

test('a usage error prints a sentence and the usage, and exits with 2', async () => {
  const nowhere = 'postgres://nobody@127.0.0.1:1/none'
  const taskId = 'tsk_0123456789abcdefghjkmnpqrs'
  const [help, commandHelp, unknown, missing, flag, nameless, extra, list, unquoted, ignored] =
    await Promise.all([
      handrail(nowhere, ['--help']),
      handrail(nowhere, ['demo', '--help']),
      handrail(nowhere, ['kesy']),
      handrail(nowhere, ['setup', '--workspace', 'W']),
      handrailProcess(nowhere, ['keys', 'list', '--colour', 'red']),
      handrail(nowhere, ['keys', 'create']),
      handrail(nowhere, ['keys', 'list', 'refunds']),
      handrail(nowhere, ['answer', taskId, '--action', 'ok', '--data', '[]', '--as', 'a@example.com']),
      handrail(nowhere, ['setup', '--workspace', 'Acme', 'Corp', '--email', 'a@example.com']),
      handrail(nowhere, [
        ...['answer', taskId, '--action', 'service:mark-done', '--data', '{"note":"Sent"}'],
        ...['--as', 'a@example.com'],
      ]),
    ])
  expect(commandHelp).toMatchObject({
    code: 0,
    errors: '',
    output: expect.stringContaining('Usage: handrail demo'),
  })
  expect(help).toMatchObject({ code: 0, errors: '', output: expect.stringContaining('handrail setup') })
  expect(unknown).toMatchObject({
    code: 2,
    errors: 'Unknown command "kesy". Did you mean "keys"? Run handrail help for all commands.\n',
  })
  expect(missing).toMatchObject({ code: 2, errors: expect.stringContaining('--email is required') })
  expect(flag).toMatchObject({
    code: 2,
    errors: expect.stringMatching(/--colour[\s\S]*Usage: handrail keys/),
  })
  expect(nameless).toMatchObject({ code: 2, errors: expect.stringContaining('keys create NAME') })
  expect(extra).toMatchObject({ code: 2, errors: expect.stringContaining('nothing after keys list') })
  expect(list).toMatchObject({ code: 2, errors: expect.stringContaining('--data: Must be an object') })
  expect(unquoted).toMatchObject({ code: 2, errors: expect.stringContaining("Unexpected argument 'Corp'.") })
  expect(ignored).toMatchObject({
    code: 2,
    errors: expect.stringContaining('--data note: service:mark-done does not have this field.'),
  })
})

test('an unreachable database is reported in one sentence', async () => {
  const url = 'postgres://nobody@127.0.0.1:1/none'
  const { code, output, errors } = await handrailProcess(url, ['keys', 'list'])
  expect({ code, output }).toEqual({ code: 1, output: '' })
  expect(errors).toMatch(/^handrail keys: The database cannot be reached: .*:1\b.* Check DATABASE_URL.*\n$/)
  const bypassed = await handrail(url, ['keys', 'list'], { DATABASE_DIRECT_URL: url.replace(':1/', ':2/') })
  expect(bypassed.errors).toMatch(/127\.0\.0\.1:2.* Check DATABASE_DIRECT_URL/)
  const badPassword = 'postgres://nobody:a/b@127.0.0.1:1/none'
  const [opened, copied] = await Promise.all([
    handrail(badPassword, ['keys', 'list']),
    handrail(badPassword, ['backup', 'unwritten.backup']),
  ])
  expect(opened.errors).toMatch(/Encode special characters in the password of DATABASE_URL.*\n$/)
  expect(copied.errors).toMatch(
    /^handrail backup: .*Encode special characters in the password of its URL.*\n$/,
  )
})
