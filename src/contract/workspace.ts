import { z } from 'zod'
import { confirmation } from './confirmation.ts'
import { Email, optional, printable, Timestamp, TimestampInput } from './field.ts'
import { ApiKeyId, InvitationId, PersonId, WorkspaceId } from './ids.ts'
import { keyLimitInputs, keyLimits } from './key-limits.ts'
import { limits } from './limits.ts'

/** Each role includes the permissions of the previous ones. */
export const roles = ['member', 'admin', 'owner'] as const
export const Role = z.enum(roles)
export type Role = z.infer<typeof Role>

export const WorkspaceName = printable(limits.workspaceName)
export const Password = z.string().min(limits.passwordMin).max(limits.passwordMax)
export const PersonName = printable(limits.personName)

/** Scopes of an API key. `tasks` includes `tasks:read`. */
export const keyScopes = ['tasks', 'tasks:read', 'analysis:read'] as const
export const KeyScope = z.enum(keyScopes)
export type KeyScope = z.infer<typeof KeyScope>
const KeyScopes = z.array(KeyScope).min(1).max(keyScopes.length)

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
    defaultKeyScopes: KeyScopes.optional(),
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

export const Invitation = z.object({
  invitationId: InvitationId,
  email: z.string(),
  role: Role,
  createdAt: Timestamp,
  expiresAt: Timestamp,
})
export type Invitation = z.infer<typeof Invitation>
export const Invitations = z.object({ invitations: z.array(Invitation) })
export type Invitations = z.infer<typeof Invitations>
/** Inviting an owner needs a confirmation. */
export const Invite = z.strictObject({ email: Email, role: optional(Role), ...confirmation })
export type Invite = z.infer<typeof Invite>
/** The link is shown once: only a digest of its token is stored. */
export const Invited = Invitation.extend({
  link: z.string().optional().meta({
    description:
      'Only if the service sends no email. Otherwise the link is sent to the address and not shown here, because opening it verifies the address.',
  }),
})
export type Invited = z.infer<typeof Invited>
export const AcceptInvitation = z.strictObject({
  token: z.string().min(1).max(200),
  name: optional(PersonName),
  password: Password,
  code: optional(z.string().max(40)).meta({
    description:
      'For an account with two-factor authentication: a code of the authenticator app or a recovery code. Without it, such an account gets a 400 with the path code.',
  }),
})
export type AcceptInvitation = z.infer<typeof AcceptInvitation>
export const PreviewInvitation = AcceptInvitation.pick({ token: true })
/** What a person with an invitation link sees before joining. */
export const InvitationPreview = z.object({
  workspaceName: z.string(),
  invitedBy: z.string().optional().meta({
    description: 'Name of the member who sent the invitation. Left out if they are no longer a member.',
  }),
  email: z.string(),
  role: Role,
  createdAt: Timestamp,
  expiresAt: Timestamp,
  hasExpired: z.boolean(),
})
export type InvitationPreview = z.infer<typeof InvitationPreview>
export const InvitationAccepted = z.object({ workspaceId: WorkspaceId, email: z.string() })
export type InvitationAccepted = z.infer<typeof InvitationAccepted>

export const SetUpStatus = z.object({
  needed: z.boolean(),
  resetsByMail: z.boolean().meta({
    description: 'Whether forgotten passwords can be reset by email, unless `passwordSignIn` is false.',
  }),
  passwordSignIn: z.boolean().meta({ description: 'false: people sign in only with single sign-on.' }),
  singleSignOn: z.string().optional().meta({
    description: 'The name of the identity provider. Left out if none is configured.',
  }),
})
export type SetUpStatus = z.infer<typeof SetUpStatus>

/** Creates the first owner with the link that every start prints until there is a workspace. */
export const SetUp = z.strictObject({
  token: z.string().min(1).max(200),
  workspace: WorkspaceName,
  name: PersonName,
  email: Email,
  password: Password,
})
export type SetUp = z.infer<typeof SetUp>
export const SetUpDone = z.object({ workspaceId: WorkspaceId, email: z.string() })
export type SetUpDone = z.infer<typeof SetUpDone>

export const ApiKey = z.object({
  keyId: ApiKeyId,
  name: z.string(),
  firstCharacters: z.string().meta({ example: 'hrl_7Kq2' }),
  lastFour: z.string(),
  scopes: z.array(KeyScope),
  ...keyLimits,
  createdBy: z.string(),
  createdAt: Timestamp,
  lastUsedAt: Timestamp.optional(),
  expiresAt: Timestamp.optional(),
  revokedAt: Timestamp.optional(),
  exceedsMaxLifetime: z.literal(true).optional().meta({
    description: 'The key is valid for longer than the workspace allows for new keys.',
  }),
  oldSecretUntil: Timestamp.optional().meta({
    description: 'After a rotation: until when the old secret works.',
  }),
})
export type ApiKey = z.infer<typeof ApiKey>
export const ApiKeys = z.object({ apiKeys: z.array(ApiKey) })
export type ApiKeys = z.infer<typeof ApiKeys>
export const CreateApiKey = z.strictObject({
  name: printable(limits.keyName),
  expiresAt: optional(TimestampInput).meta({
    description: 'Left out: never, or after the longest lifetime that the workspace allows.',
  }),
  scopes: optional(KeyScopes).meta({
    description:
      'What the key may do. Left out: the default of the workspace, which is everything unless an owner has changed it.',
  }),
  ...keyLimitInputs,
})
export type CreateApiKey = z.infer<typeof CreateApiKey>
export const RotateApiKey = z.strictObject({
  overlapSeconds: optional(
    z
      .int()
      .min(0)
      .max(30 * 86_400),
  ),
})
export type RotateApiKey = z.infer<typeof RotateApiKey>
/** The key is shown once: only its HMAC is stored. */
export const ApiKeyWithSecret = ApiKey.extend({ key: z.string() })
export type ApiKeyWithSecret = z.infer<typeof ApiKeyWithSecret>
