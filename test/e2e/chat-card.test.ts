import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toolList } from '../../src/server/mcp/tools.ts'
import { connectMcpClient } from '../support/mcp-client.ts'
import { startService, type TestService, type TestWorkspace } from '../support/service.ts'

const apps = 'io.modelcontextprotocol/ui'
const cardType = 'text/html;profile=mcp-app'
const cardUri = 'ui://handrail/task'
const declaresApps = { extensions: { [apps]: { mimeTypes: [cardType] } } }

let service: TestService
let acme: TestWorkspace
beforeAll(async () => {
  service = await startService()
  acme = await service.workspace()
})
afterAll(() => service.stop())

const connect = (options: object, apiKey = acme.apiKey) => connectMcpClient(service.url, apiKey, options)

/** What the tools of a list say about cards, by name. */
const uiOf = (tools: { name: string; _meta?: Record<string, unknown> | undefined }[]) =>
  Object.fromEntries(tools.map(({ name, _meta }) => [name, _meta?.ui]))

describe.each([
  ['2025-11-25', {}],
  ['2026-07-28', { versionNegotiation: { mode: 'auto' as const } }],
])('the chat card in protocol %s', (_, options) => {
  test('a host with MCP Apps gets the card for send_to_human and get_task, and may let it call get_task only', async () => {
    const client = await connect({ ...options, capabilities: declaresApps })
    expect(client.getServerCapabilities()!.extensions).toHaveProperty([apps], {})
    const { tools } = await client.listTools()
    const hidden = { visibility: ['model'] }
    expect(uiOf(tools)).toEqual({
      ...Object.fromEntries(toolList.map(({ name }) => [name, hidden])),
      send_to_human: { resourceUri: cardUri, ...hidden },
      get_task: { resourceUri: cardUri, visibility: ['model', 'app'] },
    })
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).toContain(cardUri)
    await client.close()
  })

  test('the card is one file that loads nothing', async () => {
    const client = await connect({ ...options, capabilities: declaresApps })
    const { contents } = await client.readResource({ uri: cardUri })
    const { mimeType, text, _meta } = contents[0] as { mimeType?: string; text: string; _meta?: object }
    expect(mimeType).toBe(cardType)
    expect(_meta).toEqual({
      ui: {
        csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] },
        prefersBorder: true,
      },
    })
    expect(text).toMatch(/^<!doctype html>/)
    expect(text).not.toMatch(/\b(src|href)=|url\(|@import|https?:\/\//)
    await client.close()
  })

  test.each([
    ['no extension', {}],
    ['MCP Apps without a content type', { extensions: { [apps]: {} } }],
    ['MCP Apps with other content types', { extensions: { [apps]: { mimeTypes: ['text/html'] } } }],
    ['something else under its name', { extensions: { [apps]: { mimeTypes: cardType } } }],
  ])('a client that declares %s sees nothing of it', async (_, capabilities) => {
    const client = await connect({ ...options, capabilities })
    expect(client.getServerCapabilities()!.extensions).not.toHaveProperty([apps])
    expect(JSON.stringify((await client.listTools()).tools)).toBe(JSON.stringify(toolList))
    const { resources } = await client.listResources()
    expect(resources.map(({ uri }) => uri)).not.toContain(cardUri)
    await client.close()
  })

  test('a key that may only read sees only its tools', async () => {
    const body = { name: 'reader', scopes: ['tasks:read'] }
    const { key } = (await acme.owner.post('/api-keys', body)).body
    const client = await connect({ ...options, capabilities: declaresApps }, key)
    const ui = uiOf((await client.listTools()).tools)
    expect(Object.keys(ui)).toEqual(['get_task', 'list_tasks', 'search_tasks'])
    expect(ui.get_task).toMatchObject({ resourceUri: cardUri })
    await client.close()
  })
})
