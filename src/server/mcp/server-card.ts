import { hasTag, tagOf } from '../lib/entity-tag.ts'
import { serverDescription, serverIcons } from './server.ts'

const serverCardType = 'application/mcp-server-card+json'

// Directories and clients read these without a key.
export const serverCardPaths = ['/mcp/server-card', '/.well-known/mcp/server-card.json']
export const aiCatalogPath = '/.well-known/ai-catalog.json'

/** Says how to connect to this server. Its tools and resources are listed after connecting. */
export function serverCard(request: Request, mcpUrl: string, version: string): Response {
  return respond(request, serverCardType, {
    $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
    name: 'io.github.handrail/handrail',
    title: 'Handrail',
    version,
    description: serverDescription,
    icons: serverIcons(mcpUrl),
    remotes: [
      {
        type: 'streamable-http',
        url: `${mcpUrl}/mcp`,
        // Streamable HTTP exists since 2025-03-26.
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
  })
}

/** The AI Catalog of this domain: it lists the server card. */
export function aiCatalog(request: Request, mcpUrl: string, version: string): Response {
  return respond(request, 'application/ai-catalog+json', {
    specVersion: '1.0',
    host: { displayName: 'Handrail' },
    entries: [
      {
        identifier: `urn:air:${new URL(mcpUrl).hostname}:mcp:handrail`,
        displayName: 'Handrail',
        type: serverCardType,
        url: `${mcpUrl}/mcp/server-card`,
        version,
        description: serverDescription,
      },
    ],
  })
}

/** The document is readable from every origin and is revalidated by its ETag. */
function respond(request: Request, contentType: string, document: object): Response {
  const body = JSON.stringify(document)
  const etag = tagOf(body)
  const headers = {
    'content-type': contentType,
    'cache-control': 'public, max-age=3600',
    'access-control-allow-origin': '*',
    etag,
  }
  return hasTag(request, etag)
    ? new Response(null, { status: 304, headers })
    : new Response(body, { headers })
}
