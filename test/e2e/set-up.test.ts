import { afterEach, beforeEach, expect, test } from 'vitest'
import { setUpToken } from '../../src/server/domain/workspaces/set-up.ts'
import { callAs } from '../support/http.ts'
import { startNode } from '../support/node.ts'
import { asOwner } from '../support/rows.ts'
import { startService, type TestService, testPassword, testSecrets } from '../support/service.ts'

let service: TestService
beforeEach(async () => {
  service = await startService()
})
afterEach(() => service.stop())

const setUp = (more: object = {}) =>
  callAs(service.url, {}).post('/setup', {
    token: setUpToken(testSecrets.AUTH_SECRET),
    workspace: 'Acme',
    name: 'Olga Owner',
    email: 'Olga@Example.com',
    password: testPassword,
    ...more,
  })
const isNeeded = async () => (await callAs(service.url, {}).get('/setup')).body

test('the setup link creates the first owner, signs them in, and works only once', async () => {
  expect(await isNeeded()).toMatchObject({ needed: true })
  const done = await setUp()
  expect(done).toMatchObject({ status: 201, body: { email: 'olga@example.com' } })
  const cookie = done.headers.getSetCookie()[0]!.split(';')[0]!
  const owner = callAs(service.url, { cookie, origin: service.url })
  expect((await owner.get('/me')).body).toMatchObject({
    kind: 'person',
    person: { email: 'olga@example.com', name: 'Olga Owner' },
    workspaces: [{ workspaceId: done.body.workspaceId, name: 'Acme', role: 'owner' }],
  })
  expect((await owner.post('/api-keys', { name: 'first' })).status).toBe(201)
  expect(await isNeeded()).toMatchObject({ needed: false })
  expect(await setUp({ email: 'second@example.com' })).toMatchObject({
    status: 403,
    body: { detail: expect.stringContaining('already set up') },
  })
})

test('a process that runs only jobs prints its health URL and no setup link', async () => {
  const node = await startNode({ DATABASE_URL: service.databaseUrl, ...testSecrets }, 0, ['--only', 'jobs'])
  expect((await fetch(`${node.url}/health`)).status).toBe(200)
  expect(await node.stop()).toBe(0)
  expect(node.output()).not.toMatch(/setup#|Inbox|API/)
})

test('a wrong token creates no owner', async () => {
  for (const token of ['x', `${setUpToken(testSecrets.AUTH_SECRET)}x`, setUpToken('another secret')]) {
    expect(await setUp({ token })).toMatchObject({ status: 403, body: { code: 'forbidden' } })
  }
  for (const token of ['', null, undefined, 7]) {
    expect((await setUp({ token })).body.errors).toMatchObject([{ path: 'token' }])
  }
  expect(await isNeeded()).toMatchObject({ needed: true })
})

test('invalid details of the new owner are rejected by field', async () => {
  const { body } = await setUp({ email: 'olga', password: 'short', name: ' ', workspace: '' })
  const paths = new Set(body.errors.map((error: { path: string }) => error.path))
  expect(paths).toEqual(new Set(['email', 'password', 'name', 'workspace']))
})

test('exactly one of twenty concurrent set-ups succeeds', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => setUp({ email: `owner-${n}@example.com`, workspace: `Acme ${n}` })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(403)])
  await asOwner(service.databaseUrl, async (client) => {
    const { rows } = await client.query(
      'SELECT (SELECT count(*)::int FROM users) AS people, (SELECT count(*)::int FROM workspaces) AS workspaces',
    )
    expect(rows).toEqual([{ people: 1, workspaces: 1 }])
  })
})

test('an interrupted set-up can be repeated', async () => {
  const { people } = service.app.service
  await people.create({
    email: 'olga@example.com',
    name: 'Olga',
    password: 'from the first attempt',
    emailVerified: true,
  })
  expect(await isNeeded()).toMatchObject({ needed: true })
  const done = await setUp({ name: 'Olga Oriel' })
  expect(done.status).toBe(201)
  const cookie = done.headers.getSetCookie()[0]!.split(';')[0]!
  expect((await callAs(service.url, { cookie }).get('/me')).body).toMatchObject({
    person: { email: 'olga@example.com', name: 'Olga Oriel' },
  })
})

test('another site cannot set the service up through a visitor’s browser', async () => {
  const answer = await callAs(service.url, { origin: 'https://evil.example' }).post('/setup', {})
  expect(answer.status).toBe(403)
  expect(await isNeeded()).toMatchObject({ needed: true })
})
