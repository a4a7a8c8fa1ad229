import {
  Client,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { expect } from 'vitest'

/** What an app stores between its requests. */
class Provider implements OAuthClientProvider {
  readonly redirectUrl = 'http://127.0.0.1:33418/callback'
  readonly clientMetadata: OAuthClientMetadata = {
    client_name: 'SDK client',
    redirect_uris: [this.redirectUrl],
    // Not ours: it must be dropped, not refused.
    scope: 'tasks analysis:read openid',
  }
  clientMetadataUrl?: string
  client: StoredOAuthClientInformation | undefined
  stored: StoredOAuthTokens | undefined
  authorizationUrl: URL | undefined
  verifier = ''
  discovered: OAuthDiscoveryState | undefined

  constructor(clientMetadataUrl?: string) {
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl
  }
  state = () => 'state of the app'
  clientInformation = () => this.client
  saveClientInformation = (client: StoredOAuthClientInformation) => {
    this.client = client
  }
  tokens = () => this.stored
  saveTokens = (tokens: StoredOAuthTokens) => {
    this.stored = tokens
  }
  redirectToAuthorization = (url: URL) => {
    this.authorizationUrl = url
  }
  saveCodeVerifier = (verifier: string) => {
    this.verifier = verifier
  }
  codeVerifier = () => this.verifier
  // With it, the client checks that the code comes from the server that it was sent to.
  saveDiscoveryState = (state: OAuthDiscoveryState) => {
    this.discovered = state
  }
  discoveryState = () => this.discovered
}

/**
 * Connects the official client to /mcp/connect: it is refused, finds the authorization server,
 * registers, sends the person to the consent page, and returns with their decision. `decide` is the
 * person.
 */
export async function connectSdkClient(
  mcpUrl: string,
  decide: (authorizationUrl: URL) => Promise<URL>,
  options: { clientMetadataUrl?: string | undefined; versionNegotiation?: { mode: 'auto' } } = {},
) {
  const { clientMetadataUrl, versionNegotiation } = options
  const provider = new Provider(clientMetadataUrl)
  const requests: string[] = []
  const newTransport = () =>
    new StreamableHTTPClientTransport(new URL(`${mcpUrl}/mcp/connect`), {
      authProvider: provider,
      fetch: (url, init) => {
        requests.push(`${init?.method ?? 'GET'} ${new URL(url).pathname}`)
        return fetch(url, init)
      },
    })
  const newClient = () =>
    new Client({ name: 'test', version: '1' }, versionNegotiation ? { versionNegotiation } : {})
  const refused = newTransport()
  await expect(newClient().connect(refused)).rejects.toThrow(UnauthorizedError)
  const returned = await decide(provider.authorizationUrl!)
  expect(returned.searchParams.get('state')).toBe('state of the app')
  await refused.finishAuth(returned.searchParams)
  const client = newClient()
  await client.connect(newTransport())
  return { client, provider, requests }
}
