import { z } from 'zod'
import { Cursor, clampedInteger, JsonObject, optional, Timestamp, TimestampInput } from './field.ts'
import { WorkspaceId } from './ids.ts'
import { limits } from './limits.ts'

const Sha256 = z.string().meta({ description: 'SHA-256 as 64 hexadecimal digits.' })

/** All actions in the audit log. Do not remove any: audit entries are never deleted. */
export type AuditAction =
  | 'workspace.created'
  | 'workspace.renamed'
  | 'workspace.retention_changed'
  | 'workspace.security_changed'
  | 'workspace.demo_filled'
  | 'workspace.apps_allowed'
  | 'workspace.apps_disallowed'
  | 'member.joined'
  | 'member.role_changed'
  | 'member.removed'
  | 'member.erased'
  | 'member.renamed'
  | 'member.verified'
  | 'member.signed_in'
  | 'member.sign_in_failed'
  | 'member.confirmation_failed'
  | 'member.signed_out'
  | 'member.sessions_ended'
  | 'member.single_sign_on_linked'
  | 'member.sign_in_link_created'
  | 'member.password_reset'
  | 'member.password_changed'
  | 'member.two_factor_enabled'
  | 'member.two_factor_disabled'
  | 'member.recovery_codes_renewed'
  | 'member.recovery_code_used'
  | 'group.created'
  | 'group.changed'
  | 'group.deleted'
  | 'policy.created'
  | 'policy.changed'
  | 'policy.deleted'
  | 'rule.created'
  | 'rule.changed'
  | 'rule.paused'
  | 'rule.resumed'
  | 'rule.ended'
  | 'rule.version_passed'
  | 'action_outcome.set'
  | 'action_outcome.removed'
  | 'invitation.created'
  // A revoked invitation. The audit log is never rewritten, so its actions keep their names.
  | 'invitation.withdrawn'
  | 'api_key.created'
  | 'api_key.rotated'
  | 'api_key.revoked'
  | 'app.connected'
  | 'app.disconnected'
  | 'webhook_secret.revealed'
  | 'webhook_secret.rotated'
  | 'chat_notifications.set'
  | 'chat_notifications.removed'
  | 'slack.connected'
  | 'slack.disconnected'
  | 'slack.channels_set'
  | 'slack.user_linked'
  | 'slack.user_unlinked'
  | 'delivery.redelivered'
  | 'delivery.all_failed_redelivered'
  | 'delivery.test_sent'
  | 'tasks.exported'
  | 'audit.exported'
  | 'task.answered'
  | 'task.handled'
  | 'task.asked'
  | 'task.assigned'
  | 'task.noted'
  | 'task.escalated'
  | 'task.cancelled'
  | 'task.expired'
  | 'task.content_deleted'
  | 'tasks.content_deleted'

export const AuditEntry = z.object({
  auditId: z.string(),
  at: Timestamp,
  actor: z.string().meta({
    description:
      'usr_…: a person. key_…: an API key. grt_…: a connected app. service: the service itself or, if `from` is `command line`, its operator.',
  }),
  actorName: z.string().optional().meta({ description: 'The current name, if there is one.' }),
  action: z.string().meta({ example: 'api_key.created' }),
  subject: z.string(),
  subjectName: z.string().optional().meta({ description: 'The current name, if there is one.' }),
  from: z
    .string()
    .optional()
    .meta({ description: 'The IP address that the request came from, `slack`, or `command line`.' }),
  details: JsonObject.optional(),
  seq: z.int().optional().meta({
    description:
      'Its number in the chain. Absent until the entry is chained, about a second after it was written.',
  }),
  digest: Sha256.optional(),
})
export type AuditEntry = z.infer<typeof AuditEntry>

const filters = {
  subject: optional(z.string().max(200)),
  action: optional(z.string().max(100)),
  actor: optional(z.string().max(200)),
  after: optional(TimestampInput),
  before: optional(TimestampInput),
}
export const ListAudit = z.strictObject({
  ...filters,
  limit: optional(clampedInteger(1, limits.pageMax)),
  cursor: optional(Cursor),
})
export type ListAudit = z.infer<typeof ListAudit>
export const AuditPage = z.object({ entries: z.array(AuditEntry), nextCursor: z.string().nullable() })
export type AuditPage = z.infer<typeof AuditPage>

/** `jsonl`: the lines that were hashed, see docs/audit.md. `csv`: for spreadsheets. */
export const AuditFormat = z.enum(['jsonl', 'csv'])
export type AuditFormat = z.infer<typeof AuditFormat>
export const ExportAudit = z.strictObject({ format: AuditFormat, ...filters })
export type ExportAudit = z.infer<typeof ExportAudit>

/**
 * `changed`: the content does not match the digest. `missing`: no entry has this number.
 * `replaced`: valid in itself, but not the entry that the next one or the head was chained to.
 * `added`: a number that was never assigned. `unsigned`: the head is missing or does not have the
 * service's signature.
 */
export const AuditDamage = z.enum(['changed', 'missing', 'replaced', 'added', 'unsigned'])
export type AuditDamage = z.infer<typeof AuditDamage>
export const AuditVerdict = z.object({
  ok: z.boolean(),
  rows: z.int().meta({ description: 'All entries of the workspace.' }),
  chained: z
    .int()
    .meta({ description: 'Entries in the chain. The others are chained within about a second.' }),
  head: z
    .object({
      workspaceId: WorkspaceId,
      seq: z.int(),
      digest: Sha256,
      signature: z.string().meta({ description: 'HMAC-SHA256 by the service, as 64 hexadecimal digits.' }),
      at: Timestamp,
    })
    .optional()
    .meta({ description: 'The last entry of the chain. Save it elsewhere: see docs/audit.md.' }),
  firstBroken: z.object({ seq: z.int(), what: AuditDamage }).optional(),
})
export type AuditVerdict = z.infer<typeof AuditVerdict>
export type BrokenEntry = NonNullable<AuditVerdict['firstBroken']>
