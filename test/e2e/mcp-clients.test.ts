import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client'
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as V1Transport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService, type TestWorkspace, taskPayload } from '../support/service.ts'

// Both major versions of the official client, with each protocol version they support.
type AnyClient = {
  listTools(): Promise<{ tools: { name: string }[] }>
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>
  readResource(params: { uri: string }): Promise<unknown>
  close(): Promise<void>
}

const clients: Record<string, (url: string, key: string) => Promise<AnyClient>> = {
  'v1 client, protocol 2025-11-25': async (url, key) => {
    const client = new V1Client({ name: 'test', version: '1' })
    await client.connect(
      new V1Transport(new URL(`${url}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${key}` } },
      }) as never,
    )
    return client as unknown as AnyClient
  },
  'v2 client, protocol 2025-11-25': (url, key) => connectV2(url, key),
  'v2 client, protocol 2026-07-28': (url, key) => connectV2(url, key, { mode: 'auto' }),
}

async function connectV2(
  url: string,
  key: string,
  versionNegotiation?: { mode: 'auto' },
): Promise<AnyClient> {
  const client = new ModernClient(
    { name: 'test', version: '1' },
    versionNegotiation ? { versionNegotiation } : {},
  )
  await client.connect(
    new ModernTransport(new URL(`${url}/mcp`), { requestInit: { headers: { 'x-api-key': key } } }),
  )
  return client as unknown as AnyClient
}

describe('official MCP clients', () => {
  let service: TestService
  let acme: TestWorkspace
  beforeAll(async () => {
    service = await startService()
    acme = await service.workspace()
  })
  afterAll(() => service.stop())

  for (const [name, connect] of Object.entries(clients)) {
    test(`${name}: connects with a key, lists, creates, waits, reads`, async () => {
      const client = await connect(service.url, acme.apiKey)
      const { tools } = await client.listTools()
      expect(tools.map((tool) => tool.name)).toEqual([
        'send_to_human',
        'get_task',
        'send_update',
        'cancel_task',
        'list_tasks',
        'search_tasks',
        'get_feedback_analysis',
      ])
      const created = (await client.callTool({ name: 'send_to_human', arguments: taskPayload() })) as {
        structuredContent: { taskId: string }
      }
      expect(created.structuredContent).toEqual({ taskId: expect.stringMatching(/^tsk_/), delivery: 'poll' })
      const { taskId } = created.structuredContent
      const waiting = client.callTool({ name: 'get_task', arguments: { taskId, waitSeconds: 50 } })
      await acme.owner.post(`/tasks/${taskId}/reject`, { feedback: 'No.' })
      expect(await waiting).toMatchObject({
        structuredContent: {
          status: 'handled',
          handled: {
            actionId: 'service:reject-request',
            data: { feedback: 'No.' },
            handledBy: acme.ownerEmail,
          },
        },
      })
      const read = (await client.readResource({ uri: `task://${taskId}` })) as {
        contents: { text: string }[]
      }
      expect(JSON.parse(read.contents[0]!.text)).toMatchObject({
        taskId,
        status: 'handled',
        actions: [{ id: 'approve' }, {}],
      })
      await client.close()
    })
  }
})
