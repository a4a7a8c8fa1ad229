import { z } from 'zod'
import { KeyScope } from './api-key.ts'
import { confirmation } from './confirmation.ts'
import { Timestamp } from './field.ts'
import { GrantId, PersonId, WorkspaceId } from './ids.ts'
import { Role } from './workspace.ts'

/**
 * Not in limits.ts, which the web app loads. OAuth clients are not authenticated, so everything
 * they send must be small. Sizes are in bytes, lengths in UTF-16 code units, unless a comment says
 * otherwise.
 */
export const oauthLimits = {
  bodyBytes: 16 * 1024,
  authorizationQuery: 8_000,
  redirectUris: 20, // per client
  redirectUri: 2_000,
  clientName: 100, // in code points; what is longer is cut off
  documentUrl: 2_000, // the id of a client that a document describes
  clientDocumentBytes: 5 * 1024,
  unusedClients: 1_000, // clients that nobody has allowed access yet; above that, the oldest are deleted
} as const

const client = {
  name: z.string().meta({ description: 'The name that the app gave itself.' }),
  address: z.string().meta({
    description:
      'If the app is verified, the host that describes it. Otherwise where it receives access: a host, or the address of a program on the person’s computer.',
    example: 'claude.ai',
  }),
  isVerified: z.boolean().meta({
    description: 'Whether a document at this address describes the app. Otherwise nothing proves its name.',
  }),
}

/** An app that a member has connected with OAuth. It acts as an agent, never as the member. */
export const ConnectedApp = z.object({
  grantId: GrantId,
  ...client,
  scopes: z.array(KeyScope),
  connectedBy: z.object({ userId: PersonId, name: z.string(), email: z.string() }),
  connectedAt: Timestamp,
  lastUsedAt: Timestamp.optional(),
  endsAt: Timestamp.meta({ description: 'When access ends unless the app is used before.' }),
})
export type ConnectedApp = z.infer<typeof ConnectedApp>
export const ConnectedApps = z.object({
  allowed: z.boolean().meta({ description: 'Whether members may connect apps.' }),
  apps: z.array(ConnectedApp),
})
export type ConnectedApps = z.infer<typeof ConnectedApps>
/** Allowing connected apps needs a confirmation; no longer allowing them does not. */
export const AllowConnectedApps = z.strictObject({ allowed: z.boolean(), ...confirmation })

/** The query string with which an app sent the person to the consent page. */
const Query = z.string().min(1).max(oauthLimits.authorizationQuery)
export const PreviewAuthorization = z.strictObject({ query: Query })
export const AuthorizationPreview = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('request'),
    client: z.object({
      ...client,
      isLocal: z
        .boolean()
        .meta({ description: 'Whether a program on the person’s computer receives access.' }),
      returnsTo: z.string().meta({
        description:
          'Where the person returns to and the app receives access: a host, or the address of a program on the person’s computer. May differ from the address of a verified app.',
      }),
    }),
    scopes: z.array(KeyScope),
    workspaces: z.array(z.object({ workspaceId: WorkspaceId, name: z.string(), role: Role })).meta({
      description:
        'The person’s workspaces that allow connected apps and whose two-factor requirement the session meets.',
    }),
  }),
  z.object({
    kind: z.literal('invalid'),
    redirectTo: z.string().meta({ description: 'Returns to the app, which explains what was wrong.' }),
  }),
])
export type AuthorizationPreview = z.infer<typeof AuthorizationPreview>

/** Without a workspace, the person declines. */
export const DecideAuthorization = z.strictObject({ query: Query, workspaceId: WorkspaceId.optional() })
export type DecideAuthorization = z.infer<typeof DecideAuthorization>
export const AuthorizationDecision = z.object({ redirectTo: z.string() })
export type AuthorizationDecision = z.infer<typeof AuthorizationDecision>
