import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAgentFolder, startAgent } from '../support/agent-folder.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'

const page = readFileSync(new URL('../../docs/waiting.md', import.meta.url), 'utf8')
const programs = new Map(
  [...page.matchAll(/^```js (\S+)\n([\s\S]+?)^```$/gm)].map(([, name, text]) => [name!, text!]),
)
let service: TestService
let workspace: TestWorkspace
let folder: string

beforeAll(async () => {
  service = await startService({ CALLBACK_ALLOW_CIDRS: '127.0.0.1/32' })
  workspace = await service.workspace()
  folder = await createAgentFolder(service.url, ['@modelcontextprotocol/client', '@hono/node-server'])
  for (const [name, text] of programs) writeFileSync(join(folder, name), text)
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true })
})

function start(...args: string[]) {
  const agent = startAgent(folder, args, {
    HANDRAIL_URL: service.url,
    HANDRAIL_API_KEY: workspace.apiKey,
    HANDRAIL_WEBHOOK_SECRET: workspace.webhookSecret,
  })
  return {
    ...agent,
    async result() {
      expect(await agent.exitCode, agent.output()).toBe(0)
      return agent.output()
    },
  }
}

async function openTaskId(): Promise<string> {
  let taskId: string | undefined
  await expect
    .poll(async () => {
      taskId = (await workspace.owner.get('/tasks?status=open&limit=1')).body.tasks[0]?.taskId
      return taskId
    })
    .toBeDefined()
  return taskId!
}

async function answer(taskId: string, actionId: string) {
  const { status, body } = await workspace.owner.post(`/tasks/${taskId}/handle`, { actionId })
  expect(status, JSON.stringify(body)).toBe(200)
}

it('every program in docs/waiting.md is run here', () => {
  const tested = ['ask.mjs', 'check-later.mjs', 'route.mjs', 'mcp-wait.mjs', 'mcp-listen.mjs']
  expect([...programs.keys()]).toEqual(tested)
  expect(page.match(/^```\w/gm)).toHaveLength(tested.length)
})

it('ask.mjs waits for the answer', async () => {
  const agent = start('ask.mjs')
  await answer(await openTaskId(), 'deploy')
  expect(await agent.result()).toBe(`${workspace.ownerEmail} chose deploy.\n`)
})

it('check-later.mjs finds its task and the answer in a later run', async () => {
  expect(await start('check-later.mjs').result()).toBe('Nobody has answered yet.\n')
  await answer(await openTaskId(), 'approve')
  expect(await start('check-later.mjs').result()).toBe('The task is handled: approve.\n')
})

it('route.mjs receives callbacks and refuses forged ones', async () => {
  writeFileSync(
    join(folder, 'serve.mjs'),
    `import { serve } from '@hono/node-server'
    import { POST } from './route.mjs'
    serve({ fetch: POST, port: 0, hostname: '127.0.0.1' }, ({ port }) => console.log('port', port))`,
  )
  const agent = start('serve.mjs')
  try {
    await expect.poll(agent.output).toMatch(/port \d+\n/)
    const callbackUrl = `http://127.0.0.1:${/port (\d+)/.exec(agent.output())![1]}/handrail`
    expect((await fetch(callbackUrl, { method: 'POST', body: '{}' })).status).toBe(400)
    const { body } = await workspace.agent.post('/tasks', {
      ...taskPayload(),
      callbackUrl,
      metadata: { order: 58213 },
    })
    await answer(body.taskId, 'approve')
    await expect.poll(agent.output).toContain(`${workspace.ownerEmail} chose approve for order 58213.`)
  } finally {
    agent.child.kill()
    await agent.exitCode
  }
})

it.each(['mcp-wait.mjs', 'mcp-listen.mjs'])('%s receives the answer to a task', async (program) => {
  const { taskId } = (await workspace.agent.post('/tasks', taskPayload())).body
  const waitsBefore = await openWaits()
  const agent = start(program, taskId)
  await expect.poll(openWaits).toBeGreaterThan(waitsBefore)
  await answer(taskId, 'approve')
  // mcp-wait.mjs may also print progress.
  expect(await agent.result()).toContain('The task is handled: approve.\n')
})

async function openWaits(): Promise<number> {
  return (await service.app.service.metrics.waits.get()).values[0]?.value ?? 0
}
