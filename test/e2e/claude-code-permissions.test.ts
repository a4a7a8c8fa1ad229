import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAgentFolder } from '../support/agent-folder.ts'
import { startService, type TestService, type TestWorkspace } from '../support/service.ts'

// Installed as examples/README.md says: the file, the client that the service serves, the MCP SDK
// and zod.
let service: TestService
let workspace: TestWorkspace
let folder: string
type Adapter = Awaited<ReturnType<typeof startAdapter>>
/** An adapter with the usual settings. */
let ask: Adapter
const closers: (() => Promise<void>)[] = []

beforeAll(async () => {
  service = await startService()
  workspace = await service.workspace()
  folder = await createAgentFolder(service.url, ['@modelcontextprotocol/server', 'zod'])
  copyFileSync(
    new URL('../../examples/claude-code-permissions.mjs', import.meta.url),
    join(folder, 'permissions.mjs'),
  )
  ask = await startAdapter()
})
afterAll(async () => {
  for (const close of closers) await close()
  await service.stop()
  rmSync(folder, { recursive: true })
})

/**
 * Starts the adapter as Claude Code does. Returns a function that asks for a permission and parses
 * the decision.
 */
async function startAdapter(environment: Record<string, string> = {}) {
  const client = new Client({ name: 'claude-code', version: '2.1.325' })
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['permissions.mjs'],
    cwd: folder,
    env: { HANDRAIL_URL: service.url, HANDRAIL_API_KEY: workspace.apiKey, ...environment },
  })
  await client.connect(transport as Parameters<typeof client.connect>[0])
  closers.push(() => client.close())
  return async (input: object, options: { signal?: AbortSignal; tool?: string } = {}) => {
    const { tool = 'Bash', signal } = options
    const result = await client.callTool(
      { name: 'ask_permission', arguments: { tool_name: tool, input, tool_use_id: 'toolu_01' } },
      undefined,
      signal ? { signal } : {},
    )
    const [block] = result.content as [{ type: string; text: string }]
    expect(block.type).toBe('text')
    return JSON.parse(block.text)
  }
}

const input = { command: 'rm -r build', timeout: 5000, run_in_background: false, options: { sandbox: true } }

async function openTask() {
  let task: { taskId: string } | undefined
  await expect
    .poll(async () => {
      task = (await workspace.owner.get('/tasks?status=open&limit=1')).body.tasks[0]
      return task
    })
    .toBeDefined()
  return (await workspace.owner.get(`/tasks/${task!.taskId}?include=context,actions`)).body
}

async function answerWith(actionId: string, data?: object) {
  const { taskId } = await openTask()
  const { status, body } = await workspace.owner.post(`/tasks/${taskId}/handle`, { actionId, data })
  expect(status, JSON.stringify(body)).toBe(200)
}

it('a person sees the tool and its input, and allows the call as it is', async () => {
  const decision = ask(input)
  const { name, description, context, actions } = await openTask()
  expect(name).toBe('Allow Bash? rm -r build')
  expect(description).toContain(folder)
  expect(context.data).toEqual(input)
  expect(actions.map(({ id }: { id: string }) => id)).toEqual(['allow', 'edit', 'deny'])
  await answerWith('allow')
  expect(await decision).toEqual({ behavior: 'allow', updatedInput: input })
})

it('an edited input replaces the original, and what the form cannot show is unchanged', async () => {
  const command = `printf '🧹'\n\trm -r build ${'long '.repeat(50)}`
  const decision = ask({ ...input, command, description: 'Clean up' })
  expect((await openTask()).name).toMatch(/^Allow Bash\? printf '🧹' rm -r build long .{1,90}$/)
  // The form leaves out the emptied fields: the description and the timeout.
  await answerWith('edit', { command: 'rm -r build/cache', run_in_background: true })
  expect(await decision).toEqual({
    behavior: 'allow',
    updatedInput: {
      command: 'rm -r build/cache',
      description: '',
      run_in_background: true,
      options: { sandbox: true },
    },
  })
})

it('a call without input has no form to edit', async () => {
  const decision = ask({}, { tool: 'mcp__shop__restart' })
  expect((await openTask()).actions.map(({ id }: { id: string }) => id)).toEqual(['allow', 'deny'])
  await answerWith('allow')
  expect(await decision).toEqual({ behavior: 'allow', updatedInput: {} })
})

it('a denied or rejected call is denied with what the person wrote', async () => {
  const denied = ask(input)
  await answerWith('deny', { reason: 'Use make clean.' })
  expect(await denied).toEqual({ behavior: 'deny', message: 'Use make clean.' })

  const rejected = ask(input)
  const { taskId } = await openTask()
  await workspace.owner.post(`/tasks/${taskId}/reject`, { feedback: 'Not in this repository.' })
  expect(await rejected).toEqual({ behavior: 'deny', message: 'Not in this repository.' })

  const closed = ask(input)
  await workspace.owner.post(`/tasks/${(await openTask()).taskId}/mark-done`, {})
  expect((await closed).behavior).toBe('deny')
})

it('without an answer in time the call is denied with the URL, and asked again it gets the answer given meanwhile', async () => {
  const ask = await startAdapter({ HANDRAIL_WAIT_SECONDS: '0.5' })
  const late = await ask(input)
  const { url, taskId } = await openTask()
  expect(late).toMatchObject({ behavior: 'deny', message: expect.stringContaining(url) })
  await answerWith('allow')
  await expect.poll(() => ask(input)).toEqual({ behavior: 'allow', updatedInput: input })

  // The answer is used once: the same call is a new question.
  const again = await ask(input)
  expect(again.behavior).toBe('deny')
  expect(again.message).not.toContain(taskId)
  await answerWith('deny', { reason: 'No.' })
})

it('a call that Claude Code cancels is cancelled for people too', async () => {
  const stop = new AbortController()
  const decision = ask(input, { signal: stop.signal }).catch((error: Error) => error)
  const { taskId } = await openTask()
  stop.abort()
  expect(await decision).toBeInstanceOf(Error)
  await expect.poll(async () => (await workspace.owner.get(`/tasks/${taskId}`)).body.status).toBe('cancelled')
})

it('without a valid key the call is denied', async () => {
  const ask = await startAdapter({ HANDRAIL_API_KEY: 'hrl_wrong' })
  expect(await ask(input)).toMatchObject({ behavior: 'deny', message: expect.stringContaining('API key') })
})
