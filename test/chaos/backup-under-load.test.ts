import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { verifyWebhook } from '../../src/client/verify-webhook.ts'
import { configuredTarget } from '../../src/server/backup/database-target.ts'
import { move } from '../../src/server/backup/move.ts'
import { restore } from '../../src/server/backup/restore.ts'
import { readConfig } from '../../src/server/config.ts'
import { chooseDataFolder } from '../../src/server/postgres/data-folder.ts'
import { findPostmaster } from '../../src/server/postgres/postmaster-file.ts'
import { readStoredSecrets } from '../../src/server/secrets.ts'
import { handrailProcess } from '../support/command-line.ts'
import { openInboxReader } from '../support/inbox-reader.ts'
import { startNode } from '../support/node.ts'
import { startReceiver } from '../support/receiver.ts'
import { createDatabase, startService, taskPayload, testPassword } from '../support/service.ts'
import { createAcknowledged } from './acknowledged.ts'
import { type Clients, workAsAgent, workAsPerson } from './clients.ts'
import { setUp } from './set-up.ts'

const quiet = { printLine: () => undefined, onProgress: () => undefined }
const passphrase = 'a phrase that only we know'
const folders: string[] = []

/** A data folder that PostgreSQL's user can access. test/support/shared-postgres.ts removes leftovers. */
function createFolder(): string {
  const dataDir = mkdtempSync(join(tmpdir(), `handrail-test-${process.pid}-`))
  chmodSync(dataDir, 0o755)
  folders.push(dataDir)
  return dataDir
}

describe('a service that is backed up under load, killed and restored into another folder', () => {
  const [oldFolder, newFolder, lastFolder] = [createFolder(), createFolder(), createFolder()]
  const file = join(oldFolder, 'busy.backup')
  const clients: Clients = { acknowledged: createAcknowledged(), openTasks: [], isRunning: true }
  const { created, handled, cancelled } = clients.acknowledged
  let node: Awaited<ReturnType<typeof startNode>>
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  let set: Awaited<ReturnType<typeof setUp>>
  let webhookSecret: string
  let cursorFromBefore: string
  let beforeBackup: { created: typeof created; handled: typeof handled; cancelled: typeof cancelled }

  let address: string

  /** Starts the service on a data folder; clients continue there. */
  async function startOn(dataDir: string) {
    node = await startNode({ DATA_DIR: dataDir, CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' })
    address = node.url
  }
  /** Runs a command on a private database: without DATABASE_URL, with only the secrets of the data folder. */
  const command = (dataDir: string, ...args: string[]) =>
    handrailProcess('', args, {
      DATA_DIR: dataDir,
      BACKUP_PASSPHRASE: passphrase,
      API_KEY_PEPPER: '',
      ENCRYPTION_KEY: '',
      AUTH_SECRET: '',
      SERVICE_MCP_INTERNAL_TOKEN: '',
    })

  beforeAll(async () => {
    let calls = 0
    receiver = await startReceiver((_, response) => {
      calls += 1
      if (calls > 1) response.writeHead(204).end() // the first is never answered
    })
    await startOn(oldFolder)
    set = await setUp({ url: () => address, output: () => node.output() })
    const { agent, people } = set
    const owner = people[0].caller
    webhookSecret = (await owner().post('/webhooks/secret/reveal', { password: testPassword })).body.secret
    const workers = [
      ...['Ada', 'Bob'].map((sender) => workAsAgent(clients, sender, agent)),
      ...people.map((person) => workAsPerson(clients, person.name, person.caller)),
    ]
    while (handled.length < 40 || cancelled.length < 5) await sleep(10)
    const pending = await agent().post('/tasks', taskPayload({ callbackUrl: `${receiver.url}/pending` }))
    await owner().post(`/tasks/${pending.body.taskId}/handle`, { actionId: 'approve', data: {} })
    await receiver.calls(1)

    beforeBackup = { created: [...created], handled: [...handled], cancelled: [...cancelled] }
    const backup = await command(oldFolder, 'backup', file, '--passphrase')
    expect(backup).toMatchObject({ code: 0, output: expect.stringContaining('contains all data as of') })
    cursorFromBefore = (await owner().get('/inbox?limit=1')).body.eventCursor
    const postmaster = findPostmaster(chooseDataFolder(oldFolder, () => {}).path)!
    clients.isRunning = false
    process.kill(postmaster.pid, 'SIGKILL')
    await node.kill()

    await restore({
      file,
      to: { dataDir: newFolder, url: undefined },
      configuredSecrets: {},
      passphrase: async () => passphrase,
      ...quiet,
    })
    await startOn(newFolder)
    await Promise.all(workers)
  }, 300_000)
  afterAll(async () => {
    await node.stop()
    await receiver.stop()
    for (const dataDir of folders) rmSync(dataDir, { recursive: true, force: true })
  })

  test('keeps every task and answer acknowledged before the backup, and API keys and sessions stay valid', async () => {
    expect(created.length).toBeGreaterThan(beforeBackup.created.length)
    const find = async (taskId: string) => (await set.agent().get(`/tasks/${taskId}`)).body
    for (const { taskId, name, metadata } of beforeBackup.created)
      expect(await find(taskId)).toMatchObject({ taskId, name, metadata })
    for (const { taskId, handled } of beforeBackup.handled)
      expect(await find(taskId)).toMatchObject({ status: 'handled', handled })
    for (const { taskId, reason } of beforeBackup.cancelled)
      expect(await find(taskId)).toMatchObject({ status: 'cancelled', cancelled: { reason } })
    expect((await set.people[1].caller().get('/me')).status).toBe(200)
  })

  test('retries a delivery that the killed process had started, signed with the same secret', async () => {
    const [, again] = await receiver.calls(2)
    const event = await verifyWebhook(again!.headers, again!.body, webhookSecret)
    expect(event).toMatchObject({ type: 'service/task_handled', action: { id: 'approve' } })
  })

  test('an event cursor from after the backup receives the events after the restore', async () => {
    const [{ workspaceId, cookie }] = set.people
    const reader = await openInboxReader(
      { url: node.url, workspaceId, cookie },
      { lastEventId: cursorFromBefore },
    )
    const { taskId } = (await set.agent().post('/tasks', taskPayload({}, { name: 'Later' }))).body
    await expect
      .poll(() => reader.seen.map(({ event }) => event.taskId), { timeout: 20_000 })
      .toContain(taskId)
    const { cursor } = reader.seen.find(({ event }) => event.taskId === taskId)!
    await reader.close()
    const [before, after] = [cursorFromBefore, cursor].map((text) => text.split('.').map(BigInt))
    // The new cluster's transaction ids are lower: only the epoch keeps the order.
    expect(after![1]! < before![1]!).toBe(true)
    expect(after![0]! > before![0]!).toBe(true)
  })

  test('moves to an external PostgreSQL and back to a private one', async () => {
    await node.stop()
    const database = await createDatabase()
    try {
      const moved = await command(newFolder, 'move', '--to', database.url, '--json')
      expect(moved).toMatchObject({ code: 0, output: expect.stringContaining('secrets.env') })
      const secrets = Object.fromEntries(
        readFileSync(join(newFolder, 'secrets.env'), 'utf8')
          .trim()
          .split('\n')
          .map((line) => line.split(/=(.*)/).slice(0, 2)),
      )
      const external = await startService({ DATABASE_URL: database.url, ...secrets })
      address = external.url
      expect((await set.agent().get('/me')).status).toBe(200)
      expect((await set.agent().post('/tasks', taskPayload())).status).toBe(201)
      await external.stop()
      const { config, secretConfig } = readConfig({
        ...secrets,
        DATABASE_URL: database.url,
        DATA_DIR: lastFolder,
      })
      const back = await move({
        from: configuredTarget(config, secretConfig),
        to: { dataDir: lastFolder, url: undefined },
        configuredSecrets: secretConfig.secrets,
        ...quiet,
      })
      expect(back.trailer.rows).toBeGreaterThan(JSON.parse(moved.output).rows)
      expect(await readStoredSecrets(lastFolder)).toEqual(await readStoredSecrets(oldFolder))
    } finally {
      await database.drop()
    }
  })
})
