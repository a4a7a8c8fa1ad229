import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { sendToRemoteMcp } from './send-to-mcp.ts'

test('a delivery that a separate MCP server does not take says why', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  const send = sendToRemoteMcp(`http://127.0.0.1:${port}`)
  const { status, error } = await send({}, '{}', new AbortController().signal)
  expect(status).toBeUndefined()
  expect(error).toContain('ECONNREFUSED')
})
