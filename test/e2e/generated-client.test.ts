import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startService, type TestService } from '../support/service.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)
let service: TestService
let folder: string

beforeAll(async () => {
  service = await startService()
  folder = mkdtempSync(join(tmpdir(), 'handrail-generated-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
})
afterAll(async () => {
  await service?.stop()
  rmSync(folder, { recursive: true })
})

const program = `
import createClient from 'openapi-fetch'
import type { components, operations, paths } from './api.js'

type Problem = components['schemas']['Problem']
const body: components['schemas']['CreateTask'] = {
  task: { type: 'refund', name: 'Refund?', description: 'The parcel came back.' },
  actions: [{ id: 'approve', title: 'Approve' }],
}
const headers = { 'x-api-key': process.env.HANDRAIL_API_KEY! }
const { GET, POST } = createClient<paths>({ baseUrl: process.env.HANDRAIL_URL! + '/api/v1', headers })

const { data: created } = await POST('/tasks', { body, params: { header: { 'Idempotency-Key': 'refund-1' } } })
const taskId: string = created!.taskId
const { data: task } = await GET('/tasks/{taskId}', { params: { path: { taskId }, query: { include: ['actions'] } } })
const status: 'open' | 'handled' | 'cancelled' | 'expired' = task!.status
// @ts-expect-error: no such field
task!.state
// @ts-expect-error: no such status
const list = GET('/tasks', { params: { query: { status: 'done' } } })
await list
const query: operations['listTasks']['parameters']['query'] = { status: 'open', limit: 5 }
const { data: page } = await GET('/tasks', { params: { query } })
const { data: batch } = await POST('/tasks/batch', { body: { tasks: [body, { ...body, actions: [] }] } })
const codes = batch!.results.map((result) => ('task' in result ? result.task.delivery : result.problem.code))
// @ts-expect-error: a task has actions
const { error, response } = await POST('/tasks', { body: { task: body.task } })
const problem: Problem = error!
console.log(status, task!.actions?.[0]?.title, page!.tasks.length, codes.join(), response.status, problem.errors?.[0]?.path)
`

it('a client generated from the OpenAPI document compiles with strict types and calls the service', async () => {
  const { apiKey } = await service.workspace()
  const node = (...args: string[]) =>
    run(process.execPath, args, {
      cwd: folder,
      env: { PATH: process.env.PATH, HANDRAIL_URL: service.url, HANDRAIL_API_KEY: apiKey },
    }).catch((error: { stdout: string; stderr: string }) => {
      throw new Error(`${error.stdout}${error.stderr}`)
    })
  const installed = (file: string) => join(root, 'node_modules', file)
  await node(
    installed('openapi-typescript/bin/cli.js'),
    `${service.url}/api/v1/openapi.json`,
    '-o',
    'api.d.ts',
  )
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'program.ts'), program)
  const strict = ['--strict', '--noUncheckedIndexedAccess', '--target', 'es2022', '--module', 'nodenext']
  await node(
    installed('typescript-native/bin/tsc'),
    ...strict,
    '--skipLibCheck',
    '--types',
    'node',
    'program.ts',
  )
  const { stdout } = await node('program.js')
  expect(stdout).toBe('open Approve 1 poll,invalid_request 400 actions\n')
})
