import { z } from 'zod'
import { Email, Moment, optional, printable, Timestamp } from './field.ts'
import { ApiKeyId, InvitationId, PersonId, WorkspaceId } from './ids.ts'
import { limits } from './limits.ts'

/** Each role may do all that the ones before it may. */
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
    description: 'Days that the content of ended tasks is kept; left out: until someone deletes it.',
  }),
  mcpUrl: z.string().optional().meta({
    description: 'Where the MCP server is, without /mcp; left out where the service knows of none.',
  }),
})
export type Workspace = z.infer<typeof Workspace>
/** null: content is kept until someone deletes it. */
const RetentionDays = z.int().min(1).max(limits.retentionDays)
export const ChangeWorkspace = z
  .strictObject({ name: WorkspaceName.optional(), retentionDays: RetentionDays.nullable().optional() })
  .refine(
    ({ name, retentionDays }) => name !== undefined || retentionDays !== undefined,
    'Send name, retentionDays or both.',
  )
export type ChangeWorkspace = z.infer<typeof ChangeWorkspace>

/** Counting stops here. */
export const retentionCountsStopAt = 10_000
export const PreviewRetention = z.strictObject({ days: z.coerce.number().pipe(RetentionDays) })
export const RetentionPreview = z.object({
  tasks: z.int().meta({ description: 'Ended tasks that would lose their content at once.' }),
  stopped: z.boolean().meta({ description: `True when there are more than ${retentionCountsStopAt}.` }),
})
export type RetentionPreview = z.infer<typeof RetentionPreview>

/** What a key may do. `tasks` is all of tasks, reading included. */
export const keyScopes = ['tasks', 'tasks:read', 'analysis:read'] as const
export const KeyScope = z.enum(keyScopes)
export type KeyScope = z.infer<typeof KeyScope>

/** Whether a key with these scopes may do what needs this one. `tasks` includes `tasks:read`. */
export function hasScope(scopes: readonly KeyScope[], needed: KeyScope): boolean {
  return scopes.includes(needed) || (needed === 'tasks:read' && scopes.includes('tasks'))
}

const EmailVerified = z.boolean().meta({
  description: 'Whether a mail, or whoever runs the service, has proved that the address is theirs.',
})

/** `GET /me`: who is asking, and for which workspace. */
export const Me = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('key'),
    workspace: z.object({ workspaceId: WorkspaceId, name: z.string() }),
    key: z.object({ keyId: ApiKeyId, name: z.string(), scopes: z.array(KeyScope) }),
  }),
  z.object({
    kind: z.literal('person'),
    person: z.object({
      userId: PersonId,
      email: z.string(),
      emailVerified: EmailVerified,
      name: z.string(),
      hasTwoFactor: z.boolean(),
    }),
    workspaces: z.array(z.object({ workspaceId: WorkspaceId, name: z.string(), role: Role })),
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
const keysRevokedAtOnce = 100
/** `revokeKeys=key_…,key_…` */
const KeyIds = z
  .string()
  .transform((text) => text.split(','))
  .pipe(z.array(ApiKeyId).max(keysRevokedAtOnce))
export const RemoveMember = z.strictObject({
  erase: optional(z.enum(['true', 'false'])).meta({
    description:
      'true: the e-mail address goes, too; in what the person answered, the id stands in its place.',
  }),
  revokeKeys: optional(KeyIds).meta({
    description:
      'Ids of API keys that this member created, separated by commas. They are revoked together with the removal; the others stay valid.',
  }),
})
export const ChangeMember = z.strictObject({ role: Role })

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
export const Invite = z.strictObject({ email: Email, role: optional(Role) })
export type Invite = z.infer<typeof Invite>
/** The link is shown once: only a digest of its token is kept. */
export const Invited = Invitation.extend({
  link: z.string().optional().meta({
    description:
      'Only where the service sends no mail. Otherwise the link is mailed to the address and shown to nobody, because whoever has it proves the address.',
  }),
})
export type Invited = z.infer<typeof Invited>
export const AcceptInvitation = z.strictObject({
  token: z.string().min(1).max(200),
  name: optional(PersonName),
  password: Password,
  code: optional(z.string().max(40)).meta({
    description:
      'For an account with two-factor: a code of the authenticator app, or a recovery code. Without it, such an account gets 400 with the path code.',
  }),
})
export type AcceptInvitation = z.infer<typeof AcceptInvitation>
export const PreviewInvitation = AcceptInvitation.pick({ token: true })
/** What the holder of an invitation link sees before they join. */
export const InvitationPreview = z.object({
  workspaceName: z.string(),
  invitedBy: z.string().optional().meta({
    description:
      'The name of the member who sent the invitation; left out once they have left the workspace.',
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

/** The first owner, by the one-time link that the first start prints. */
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
  createdBy: z.string(),
  createdAt: Timestamp,
  lastUsedAt: Timestamp.optional(),
  expiresAt: Timestamp.optional(),
  revokedAt: Timestamp.optional(),
  oldSecretUntil: Timestamp.optional().meta({
    description: 'After a rotation: how long the old secret still works.',
  }),
})
export type ApiKey = z.infer<typeof ApiKey>
export const ApiKeys = z.object({ apiKeys: z.array(ApiKey) })
export type ApiKeys = z.infer<typeof ApiKeys>
export const CreateApiKey = z.strictObject({
  name: printable(limits.keyName),
  expiresAt: optional(Moment),
  scopes: optional(z.array(KeyScope).min(1).max(keyScopes.length)).meta({
    description: 'What the key may do; everything unless told.',
  }),
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
/** The key is shown once: only its HMAC is kept. */
export const ApiKeyWithSecret = ApiKey.extend({ key: z.string() })
export type ApiKeyWithSecret = z.infer<typeof ApiKeyWithSecret>
