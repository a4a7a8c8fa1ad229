import { toolList } from './tools.ts'

/** What a directory of MCP servers can read about this one without a key. */
export function serverCard(publicUrl: string, version: string): Response {
  return Response.json(
    {
      $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
      name: 'handrail',
      title: 'Handrail',
      version,
      description: 'Hand work to people and get an answer back: an inbox for AI agents.',
      remotes: [
        {
          type: 'streamable-http',
          url: `${publicUrl}/mcp`,
          supportedProtocolVersions: ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'],
          headers: [
            {
              name: 'X-Api-Key',
              description: 'An API key of your workspace.',
              isRequired: true,
              isSecret: true,
            },
          ],
        },
      ],
      tools: toolList.map(({ name, title }) => ({ name, title })),
    },
    { headers: { 'cache-control': 'public, max-age=3600', 'access-control-allow-origin': '*' } },
  )
}
