import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

/** The official client, connected to /mcp of a service with an API key. */
export async function connectMcpClient(
  serviceUrl: string,
  apiKey: string,
  options: ClientOptions = {},
): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, options)
  const requestInit = { headers: { 'x-api-key': apiKey } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${serviceUrl}/mcp`), { requestInit }))
  return client
}
