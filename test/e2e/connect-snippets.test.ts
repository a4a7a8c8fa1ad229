import { execFile, execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../src/client/client.ts'
import type { CreateTask } from '../../src/contract/create-task.ts'
import type { Example } from '../../src/contract/gallery/example.ts'
import { examples } from '../../src/contract/gallery/examples.ts'
import { type ClientSnippet, clientSnippets } from '../../src/web/features/connect/client-snippets.ts'
import { callSnippets } from '../../src/web/features/examples/call-snippets.ts'
import { terminal } from '../../src/web/ui/snippet-group.ts'
import { startService, type TestService, type TestWorkspace } from '../support/service.ts'

const run = promisify(execFile)
const noVenv = 'python3 -m venv does not work here; on Debian, install python3-venv'
const python = process.env.PYTHON3_PATH ?? 'python3'
let service: TestService
let workspace: TestWorkspace
let folder: string
let snippets: Map<string, ClientSnippet>

beforeAll(async () => {
  service = await startService()
  workspace = await service.workspace()
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const target = { url: service.url, mcpEndpoint: `${service.url}/mcp`, apiKey: workspace.apiKey, version }
  snippets = new Map(clientSnippets(target).map((snippet) => [snippet.id, snippet]))
  folder = mkdtempSync(join(tmpdir(), 'handrail-snippets-'))
})
afterAll(async () => {
  await service.stop()
  rmSync(folder, { recursive: true })
})

const text = (id: string) => snippets.get(id)!.blocks[0]!.text

/** Connects as a client with this URL and these headers, and expects the tools to be listed. */
async function expectConnects(url: string, headers: Record<string, string>) {
  const client = new Client({ name: 'snippet', version: '1.0.0' })
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
  await client.connect(transport as Parameters<typeof client.connect>[0])
  const { tools } = await client.listTools()
  await client.close()
  expect(tools.map(({ name }) => name)).toContain('send_to_human')
}

/** The arguments that the shell passes to a program of this name. */
async function argumentsOf(program: string, command: string): Promise<string[]> {
  const stub = join(folder, program)
  writeFileSync(stub, '#!/bin/sh\nprintf "%s\\n" "$@"\n')
  chmodSync(stub, 0o755)
  const { stdout } = await run('sh', ['-c', command], {
    env: { PATH: `${folder}${delimiter}${process.env.PATH}` },
  })
  return stdout.trimEnd().split('\n')
}

/**
 * An environment in which `python3 -m venv .venv` lets .venv use the pip of the system, if there is
 * one: Python takes five seconds to copy its own.
 */
async function environmentWithFastVenv(cwd: string): Promise<NodeJS.ProcessEnv> {
  const find = 'import importlib.util as u; print(*u.find_spec("pip").submodule_search_locations)'
  const found = await run(python, ['-c', find]).catch(() => undefined)
  if (!found) return process.env
  const programs = join(cwd, '.programs')
  mkdirSync(programs)
  const script = `#!/bin/sh
[ "$*" = '-m venv .venv' ] || exec '${python}' "$@"
'${python}' -m venv --without-pip .venv
echo '#!/bin/sh' > .venv/bin/pip
echo 'PYTHONPATH="${dirname(found.stdout.trim())}" exec .venv/bin/python -m pip "$@"' >> .venv/bin/pip
chmod +x .venv/bin/pip
`
  writeFileSync(join(programs, 'python3'), script, { mode: 0o755 })
  return { ...process.env, PATH: `${programs}${delimiter}${process.env.PATH}` }
}

/** Answers the newest open task once there is one. */
async function answerNewest(actionId: string) {
  let taskId: string | undefined
  await expect
    .poll(async () => {
      taskId = (await workspace.owner.get('/tasks?status=open&limit=1')).body.tasks[0]?.taskId
      return taskId
    })
    .toBeDefined()
  expect((await workspace.owner.post(`/tasks/${taskId}/handle`, { actionId })).status).toBe(200)
}

describe('the snippets of the page “Connect an agent” work', () => {
  it('any client, Cursor: mcpServers with url and headers', async () => {
    for (const id of ['any', 'cursor']) {
      const { url, headers } = JSON.parse(text(id)).mcpServers.handrail
      await expectConnects(url, headers)
    }
  })

  it('VS Code: servers, of the type http', async () => {
    const { type, url, headers } = JSON.parse(text('vs-code')).servers.handrail
    expect(type).toBe('http')
    await expectConnects(url, headers)
  })

  it('Windsurf: serverUrl', async () => {
    const { serverUrl, headers } = JSON.parse(text('windsurf')).mcpServers.handrail
    await expectConnects(serverUrl, headers)
  })

  it('Claude Code, which is not installed here: its command line, parsed by a shell', async () => {
    const args = await argumentsOf('claude', text('claude-code'))
    expect(args.slice(0, 5)).toEqual(['mcp', 'add', '--transport', 'http', 'handrail'])
    const [name, value] = args[7]!.split(': ') as [string, string]
    expect(args[6]).toBe('--header')
    await expectConnects(args[5]!, { [name]: value })
  })

  it('Claude Desktop, which is not installed here: the arguments of mcp-remote', async () => {
    const { command, args, env } = JSON.parse(text('claude-desktop')).mcpServers.handrail
    expect([command, args[0], args[1]]).toEqual(['npx', '-y', 'mcp-remote'])
    const header = args[args.indexOf('--header') + 1].replace(
      /\$\{(\w+)\}/,
      (_: string, name: string) => env[name],
    )
    const [name, value] = header.split(':')
    await expectConnects(args[2], { [name]: value })
  })

  it('Codex, which is not installed here: its TOML, parsed by Python', async () => {
    const script = 'import json, sys, tomllib; print(json.dumps(tomllib.loads(sys.stdin.read())))'
    const read = execFileSync(python, ['-c', script], { input: text('codex'), encoding: 'utf8' })
    const { url, http_headers, tool_timeout_sec } = JSON.parse(read).mcp_servers.handrail
    expect(tool_timeout_sec).toBeGreaterThan(600)
    await expectConnects(url, http_headers)
  })

  it('Claude and ChatGPT, which need a public address: the connector leads to the sign-in', async () => {
    for (const id of ['claude', 'chatgpt']) {
      const response = await fetch(text(id), { method: 'POST' })
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toContain('resource_metadata="')
    }
  })

  it('curl creates a task', async () => {
    const { stdout } = await run('sh', ['-c', text('curl')])
    expect(JSON.parse(stdout).taskId).toMatch(/^tsk_/)
    await answerNewest('hello')
  })

  it.for(['typescript', 'python'])(
    '%s: from an empty folder to the answer, with nothing but the page',
    async (id, { skip }) => {
      if (id === 'python') await run('python3', ['-c', 'import ensurepip, venv']).catch(() => skip(noVenv))
      const empty = mkdtempSync(join(tmpdir(), `handrail-newcomer-${id}-`))
      const startedAt = performance.now()
      const { blocks } = snippets.get(id)!
      const env = id === 'python' ? await environmentWithFastVenv(empty) : process.env
      let output = ''
      for (const { where, text } of blocks) {
        if (where === terminal) output += await outputOf(text, empty, env, text === blocks.at(-1)!.text)
        else writeFileSync(join(empty, where), text)
      }
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
      console.log(`${id}: from an empty folder to the answer in ${seconds} s`)
      expect(output).toContain(`${workspace.ownerEmail} chose hello`)
      rmSync(empty, { recursive: true })
    },
  )

  /** Runs a command as a newcomer would, and answers the task that it sends. */
  async function outputOf(
    command: string,
    cwd: string,
    env: NodeJS.ProcessEnv,
    sendsTask: boolean,
  ): Promise<string> {
    const child = spawn('sh', ['-ec', command], { cwd, env })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    const ended = new Promise((resolve) => child.once('exit', resolve))
    if (sendsTask) await answerNewest('hello')
    expect(await ended, output).toBe(0)
    return output
  }
})

describe('an example of the gallery can be sent unchanged', () => {
  // Two people, besides the person who created the key, for the examples that two must answer.
  beforeAll(async () => {
    await workspace.person()
    await workspace.person()
  })

  it.each(examples.map((example) => [example.id, example] as const))(
    '%s, by curl',
    async (_, { payload }) => {
      const curl = callSnippets(payload, service.url).find(({ id }) => id === 'curl')!.blocks[0]!.text
      const { stdout } = await run('sh', ['-c', curl], {
        env: { PATH: process.env.PATH, HANDRAIL_API_KEY: workspace.apiKey },
      })
      const { taskId, warnings } = JSON.parse(stdout)
      expect(warnings).toBeUndefined()
      const { body } = await workspace.agent.get(`/tasks/${taskId}?include=context,actions`)
      expect({ context: body.context, actions: body.actions }).toEqual({
        context: payload.context,
        actions: payload.actions,
      })
    },
  )

  it('as the tasks in docs/writing-tasks.md are, without a warning', async () => {
    const page = readFileSync(new URL('../../docs/writing-tasks.md', import.meta.url), 'utf8')
    const tasks = [...page.matchAll(/^```json\n([\s\S]+?)^```$/gm)].map(([, json]) => JSON.parse(json!))
    expect(tasks.length).toBeGreaterThan(1)
    for (const task of tasks) {
      const { status, body } = await workspace.agent.post('/tasks', task)
      expect({ status, warnings: body.warnings, errors: body.errors }).toEqual({ status: 201 })
    }
  })

  it('as an MCP call', async () => {
    const { payload } = examples[0]!
    const mcp = callSnippets(payload, service.url).find(({ id }) => id === 'mcp')!.blocks[0]!.text
    const client = new Client({ name: 'snippet', version: '1.0.0' })
    const transport = new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), {
      requestInit: { headers: { 'x-api-key': workspace.apiKey } },
    })
    await client.connect(transport as Parameters<typeof client.connect>[0])
    const result = await client.callTool(JSON.parse(mcp))
    await client.close()
    expect(result.isError).toBeFalsy()
    expect(result.structuredContent).toMatchObject({ taskId: expect.stringMatching(/^tsk_/) })
  })

  it('in TypeScript', () => {
    for (const { payload, replies } of examples) {
      const { diagnostics } = ts.transpileModule(typescriptOf(payload, replies), { reportDiagnostics: true })
      expect(diagnostics).toEqual([])
    }
  })

  it('in TypeScript, where the agent replies to a question and to requested changes', async () => {
    const { payload, replies } = examples.find(({ id }) => id === 'quote-revision')!
    const code = typescriptOf(payload, replies).replace(/^import .+$/m, '')
    const { outputText } = ts.transpileModule(code, { compilerOptions: { target: ts.ScriptTarget.ESNext } })
    const printed: unknown[][] = []
    const open = `/tasks?status=open&type=${payload.task.type}&limit=1`
    const openTask = async () => (await workspace.owner.get(open)).body.tasks[0]
    // Earlier tests have sent this example too.
    const before = (await openTask())?.taskId
    const run = new Function('createClient', 'process', 'console', `return (async () => {${outputText}})()`)
    const program: Promise<void> = run(
      createClient,
      { env: { HANDRAIL_API_KEY: workspace.apiKey } },
      { log: (...values: unknown[]) => printed.push(values) },
    )
    await expect.poll(async () => (await openTask())?.taskId).not.toBe(before)
    const { taskId } = await openTask()
    for (const kind of ['question', 'changes'] as const) {
      await workspace.owner.post(`/tasks/${taskId}/questions`, { text: 'Please explain.', kind })
      await expect
        .poll(async () => (await workspace.owner.get(`/tasks/${taskId}`)).body.waitingFor)
        .toBe('person')
    }
    const { body } = await workspace.owner.get(`/tasks/${taskId}`)
    expect(body).toMatchObject({ revision: 2, name: replies!.changes!.revision.task!.name })
    expect(body.questions).toMatchObject([
      { answer: { message: replies!.question } },
      { answer: { message: replies!.changes!.message } },
    ])
    await workspace.owner.post(`/tasks/${taskId}/handle`, { actionId: 'send', revision: 2 })
    await program
    expect(printed).toEqual([['send', {}]])
  })

  function typescriptOf(payload: CreateTask, replies: Example['replies']): string {
    const snippets = callSnippets(payload, service.url, replies)
    return snippets.find(({ id }) => id === 'typescript')!.blocks[0]!.text
  }
})
