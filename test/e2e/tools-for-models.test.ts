import { readFileSync } from 'node:fs'
import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectMcpClient } from '../support/mcp-client.ts'
import { moveClock } from '../support/rows.ts'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'
import { type Intent, intents } from '../support/stand-in/intents.ts'
import {
  callCorrectly,
  followNextStep,
  type Options,
  type Tool,
  type ToolResult,
} from '../support/stand-in/stand-in.ts'

const page = new URL('../../docs/tools-for-models.md', import.meta.url)
const charactersPerToken = 4
const protocols = { 2025: {}, 2026: { versionNegotiation: { mode: 'auto' } } } as const
const years = [2025, 2026] as const
type Year = (typeof years)[number]
type Cost = { turns: number; tokens: number }

/** A model's connection in one protocol. */
type Connection = { client: Client; tools: Tool[]; workspace: TestWorkspace }
/** Counts what the model writes and reads. */
type Counted = Connection & { cost: Cost }

describe('a stand-in for a model that knows only the published tools', () => {
  let service: TestService
  const connections = {} as Record<Year, Connection>
  const costs = new Map<string, Record<Year, Cost>>()
  beforeAll(async () => {
    service = await startService()
    for (const year of years) connections[year] = await connect(year)
  })
  afterAll(async () => {
    for (const { client } of Object.values(connections)) await client.close()
    await service.stop()
  })

  async function connect(year: Year): Promise<Connection> {
    const workspace = await service.workspace()
    const client = await connectMcpClient(service.url, workspace.apiKey, protocols[year])
    const { tools } = await client.listTools()
    return { client, tools: tools as Tool[], workspace }
  }

  test('there are thirty intents', () => {
    expect(new Set(intents.map(({ name }) => name)).size).toBe(30)
    expect(new Set(intents.map(({ tool }) => tool))).toEqual(
      new Set(connections[2025].tools.map(({ name }) => name)),
    )
  })

  describe('succeeds in both protocols', () => {
    test.each(intents.map((intent) => [intent.name, intent] as const))('%s', async (name, intent) => {
      const carried = years.map(async (year) => {
        const connection = { ...connections[year], cost: { turns: 0, tokens: 0 } }
        expect(await carryOut(connection, intent), `protocol ${year}`).toMatchObject(intent.expected)
        return [year, connection.cost]
      })
      costs.set(name, Object.fromEntries(await Promise.all(carried)))
    })
  })

  test('docs/tools-for-models.md shows its turns and tokens (npx vitest -u updates it)', async () => {
    expect(costs.size).toBe(intents.length)
    const listed = tokensOf(JSON.stringify(connections[2025].tools))
    const rows = intents.map(({ name, tool, mistake = '' }) => {
      const { 2025: session, 2026: stateless } = costs.get(name)!
      const numbers = [session.turns, session.tokens, stateless.turns, stateless.tokens]
      return `| ${[name, `\`${tool}\``, mistake, ...numbers].join(' | ')} |`
    })
    process.stdout.write(`${rows.join('\n')}\n`)
    const documented = readFileSync(page, 'utf8')
    const updated = documented
      .replace(/(?<=\|(?:---\|){7}\n)(\|.*\n)*/, `${rows.join('\n')}\n`)
      .replace(/(?<=about )[\d,]+(?= tokens once)/, listed.toLocaleString('en'))
    // Other changes move a few tokens; only a larger difference is worth an update.
    if (!isSimilar(documented, updated)) await expect(updated).toMatchFileSnapshot(page.pathname)
  })

  async function carryOut(connection: Counted, intent: Intent): Promise<object> {
    const { tool, draft, before, twice, maxWaitSeconds, person } = intent
    const { workspace, tools } = connection
    const given = (await workspace.agent.post('/tasks', taskPayload())).body
    if (before) expect((await workspace.agent.post('/tasks', before)).status).toBe(201)
    const call = async (name: string, args: Record<string, unknown>) => {
      const result = callAndCount(connection, name, args)
      if (name === 'get_task' && person && person !== 'later')
        await act(workspace, String(args.taskId), person)
      return await result
    }
    const options: Options = { tools, call, maxWaitSeconds }
    const args = typeof draft === 'function' ? draft(given) : draft
    const result = await callCorrectly(options, tool, args)
    if (twice) {
      const again = await callCorrectly(options, tool, args)
      expect(again.structuredContent).toEqual(result.structuredContent)
    }
    const last = await followNextStep(options, result)
    const taskId = result.structuredContent.taskId
    if (person === 'later') {
      const { status, url } = last.structuredContent
      expect(status).toBe('open')
      expect(result.content[1]!.text).toContain(url)
      await act(workspace, taskId, { actionId: 'approve' })
      await followNextStep(options, result)
    }
    if (taskId === undefined) return result.structuredContent
    return (await workspace.agent.get(`/tasks/${taskId}?include=context,actions,updates`)).body
  }

  async function callAndCount(
    { client, cost }: Counted,
    name: string,
    args: Record<string, unknown>,
  ): Promise<ToolResult> {
    const result = (await client.callTool({ name, arguments: args })) as ToolResult
    const texts = result.content.map(({ text }) => text.replaceAll(service.url, 'https://inbox.example.com'))
    cost.turns += 1
    cost.tokens += tokensOf([JSON.stringify(args), ...texts].join(''))
    return result
  }

  async function act(
    { owner }: TestWorkspace,
    taskId: string,
    person: Exclude<Intent['person'], 'later' | undefined>,
  ): Promise<void> {
    if (person === 'deadline') await moveClock(service.databaseUrl, '61 s')
    else if ('feedback' in person) await owner.post(`/tasks/${taskId}/reject`, person)
    else await owner.post(`/tasks/${taskId}/handle`, person)
  }
})

function tokensOf(text: string): number {
  return Math.ceil(text.length / charactersPerToken)
}

/** Equal except for numbers above 20, which may differ by a fifth. Turns are below. */
function isSimilar(one: string, other: string): boolean {
  const numbers = /\b\d[\d,]*\b/g
  const values = (text: string) =>
    (text.match(numbers) ?? []).map((digits) => Number(digits.replaceAll(',', '')))
  const [left, right] = [values(one), values(other)]
  return (
    one.replace(numbers, '#') === other.replace(numbers, '#') &&
    left.every((value, index) => {
      const difference = Math.abs(value - right[index]!)
      return difference === 0 || (value > 20 && difference <= value / 5)
    })
  )
}
