import { z } from 'zod'
import { KeyScope, keyScopesInput } from './api-key.ts'
import { confirmation } from './confirmation.ts'
import { optional, printable, Timestamp } from './field.ts'
import { ApiKeyId, PersonId, WorkspaceId } from './ids.ts'
import { keyLimits } from './key-limits.ts'
import { limits } from './limits.ts'

/** Each role includes the permissions of the previous ones. */
export const roles = ['member', 'admin', 'owner'] as const
export const Role = z.enum(roles)
export type Role = z.infer<typeof Role>

export const WorkspaceName = printable(limits.workspaceName)
export const Password = z.string().min(limits.passwordMin).max(limits.passwordMax)
export const PersonName = printable(limits.personName)

export const Workspace = z.object({
  workspaceId: WorkspaceId,
  name: z.string(),
  createdAt: Timestamp,
  retentionDays: z.int().optional().meta({
    description: 'Days until the content of ended tasks is deleted. Left out: never deleted automatically.',
  }),
  requiresTwoFactor: z.boolean().meta({
    description:
      'Whether every member needs two-factor authentication, or single sign-on with a second factor. API keys and connected apps keep working; tasks cannot be answered in Slack.',
  }),
  maxKeyDays: z.int().optional().meta({
    description: 'The longest lifetime of an API key, in days. Left out: keys may be valid forever.',
  }),
  defaultKeyScopes: z.array(KeyScope).meta({
    description: 'The scopes of an API key that is created without any.',
  }),
  mcpUrl: z.string().optional().meta({
    description: 'Base URL of the MCP server, without /mcp. Left out if there is none.',
  }),
})
export type Workspace = z.infer<typeof Workspace>
const RetentionDays = z.int().min(1).max(limits.retentionDays)
/** `optional()` is not used, because null does not mean left out here: some settings can be null. */
export const ChangeWorkspace = z
  .strictObject({
    name: WorkspaceName.optional(),
    retentionDays: RetentionDays.nullable().optional().meta({
      description: 'null: content is never deleted automatically.',
    }),
    requiresTwoFactor: z.boolean().optional(),
    maxKeyDays: z.int().min(1).max(limits.keyDays).nullable().optional(),
    defaultKeyScopes: keyScopesInput().optional(),
    ...confirmation,
  })
  .refine(
    ({ password, code, ...change }) => Object.values(change).some((value) => value !== undefined),
    'Send at least one setting to change.',
  )
export type ChangeWorkspace = z.infer<typeof ChangeWorkspace>

/** The preview counts at most this many tasks. */
export const maxPreviewCount = 10_000
export const PreviewRetention = z.strictObject({ days: z.coerce.number().pipe(RetentionDays) })
export const RetentionPreview = z.object({
  tasks: z.int().meta({ description: 'Ended tasks whose content would be deleted immediately.' }),
  hasMore: z.boolean().meta({ description: `True when there are more than ${maxPreviewCount}.` }),
})
export type RetentionPreview = z.infer<typeof RetentionPreview>

const EmailVerified = z.boolean().meta({
  description:
    'Whether the address was verified: by email, by single sign-on or by the operator of the service.',
})

/** `GET /me`: the authenticated caller and their workspaces. */
export const Me = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('key'),
    workspace: z.object({ workspaceId: WorkspaceId, name: z.string() }),
    key: z.object({ keyId: ApiKeyId, name: z.string(), scopes: z.array(KeyScope), ...keyLimits }),
  }),
  z.object({
    kind: z.literal('person'),
    person: z.object({
      userId: PersonId,
      email: z.string(),
      emailVerified: EmailVerified,
      name: z.string(),
      hasTwoFactor: z.boolean(),
      signedInWith: z.enum(['password', 'single-sign-on']).meta({
        description: 'How this session started. `password` also stands for a sign-in link of the operator.',
      }),
    }),
    workspaces: z.array(
      z.object({
        workspaceId: WorkspaceId,
        name: z.string(),
        role: Role,
        needsTwoFactor: z.literal(true).optional().meta({
          description:
            'The workspace requires two-factor authentication, and this session has none. Other requests to it get 403 two_factor_required.',
        }),
      }),
    ),
  }),
])
export type Me = z.infer<typeof Me>

export const Member = z.object({
  userId: PersonId,
  email: z.string(),
  emailVerified: EmailVerified,
  name: z.string(),
  role: Role,
  joinedAt: Timestamp,
})
export type Member = z.infer<typeof Member>
export const Members = z.object({ members: z.array(Member) })
export type Members = z.infer<typeof Members>
const maxRevokedKeys = 100
/** `revokeKeys=key_…,key_…` */
const KeyIds = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(ApiKeyId).max(maxRevokedKeys))
export const RemoveMember = z.strictObject({
  erase: optional(z.enum(['true', 'false'])).meta({
    description: 'true: also erases the email address and replaces it with the id in past answers.',
  }),
  revokeKeys: optional(KeyIds).meta({
    description:
      'Ids of API keys that this member created, separated by commas. They are revoked with the removal; all others stay valid.',
  }),
})
/** Making someone an owner needs a confirmation. */
export const ChangeMember = z.strictObject({ role: Role, ...confirmation })
export type ChangeMember = z.infer<typeof ChangeMember>
