import { randomBytes } from 'node:crypto'
import type { WebhookSecrets } from '../../../contract/delivery.ts'
import { open, seal } from '../../lib/sealed-text.ts'
import { appendAudit } from '../../storage/audit/audit-log.ts'
import { listWebhookSecrets, replaceWebhookSecret } from '../../storage/delivery/webhook-secrets.ts'
import { type PersonActor, requireRole } from '../actor.ts'
import type { Service } from '../service.ts'

const overlapHours = 24

export function newWebhookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`
}

export async function revealWebhookSecret(service: Service, actor: PersonActor): Promise<WebhookSecrets> {
  requireRole(actor, 'admin')
  return await service.database.inWorkspace(actor.workspaceId, async (tx) => {
    await appendAudit(tx, {
      actor: actor.id,
      from: actor.from,
      action: 'webhook_secret.revealed',
      subject: actor.workspaceId,
    })
    return present(service, actor.workspaceId, await listWebhookSecrets(tx))
  })
}

/** The previous secret also signs for another 24 hours, so that receivers can switch one by one. */
export async function rotateWebhookSecret(service: Service, actor: PersonActor): Promise<WebhookSecrets> {
  requireRole(actor, 'admin')
  const sealed = seal(newWebhookSecret(), service.secrets.encryptionKey, actor.workspaceId)
  return await service.database.inWorkspace(actor.workspaceId, async (tx) => {
    await replaceWebhookSecret(tx, sealed, overlapHours)
    await appendAudit(tx, {
      actor: actor.id,
      from: actor.from,
      action: 'webhook_secret.rotated',
      subject: actor.workspaceId,
    })
    return present(service, actor.workspaceId, await listWebhookSecrets(tx))
  })
}

function present({ secrets }: Service, workspaceId: string, rows: { sealed: string }[]): WebhookSecrets {
  const [secret, previous] = rows.map(({ sealed }) => open(sealed, secrets.encryptionKey, workspaceId))
  return { secret: secret!, ...(previous !== undefined && { previous }) }
}
