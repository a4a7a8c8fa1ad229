import type { ColumnType } from 'kysely'
import type { KeyScope } from '../../../contract/api-key.ts'
import type { WithDefault } from './column-types.ts'

/** What agents and connected apps authenticate with. */
export interface CredentialTables {
  apiKeys: {
    id: string
    workspaceId: string
    name: string
    scopes: KeyScope[]
    apps: string[] | null
    types: string[] | null
    cidrs: string[] | null
    createdBy: string
    createdAt: WithDefault<Date>
    expiresAt: Date | null
    revokedAt: Date | null
    lastUsedAt: Date | null
  }
  apiKeySecrets: {
    digest: string
    keyId: string
    workspaceId: string
    firstCharacters: string
    lastFour: string
    /** Who received the secret, by creating or rotating the key. */
    createdBy: ColumnType<string | null, string, never>
    createdAt: WithDefault<Date>
    expiresAt: Date | null
  }
  oauthClients: {
    id: string
    name: string
    redirectUris: string[]
    createdAt: WithDefault<Date>
    documentReadAt: Date | null
    allowedAt: WithDefault<Date | null>
  }
  oauthGrants: {
    id: string
    workspaceId: string
    userId: string
    clientId: string
    clientName: string
    clientAddress: string
    isVerified: boolean
    scopes: KeyScope[]
    createdAt: WithDefault<Date>
    lastUsedAt: WithDefault<Date | null>
    revokedAt: WithDefault<Date | null>
  }
  oauthTokens: {
    digest: string
    kind: 'code' | 'access' | 'refresh'
    grantId: string
    workspaceId: string
    createdAt: WithDefault<Date>
    expiresAt: Date
    usedAt: WithDefault<Date | null>
    redirectUri: WithDefault<string | null>
    codeChallenge: WithDefault<string | null>
  }
}
