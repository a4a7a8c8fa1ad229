import type { Role } from '../../../contract/workspace.ts'
import { newId } from '../../lib/ids.ts'
import { seal } from '../../lib/sealed-text.ts'
import { signHead } from '../../lib/signed-head.ts'
import { insertFirstHead } from '../../storage/audit/audit-chain.ts'
import { appendAudit } from '../../storage/audit/audit-log.ts'
import { insertMember } from '../../storage/people/members.ts'
import { insertWorkspace } from '../../storage/people/workspaces.ts'
import { genesisDigest } from '../audit/entry-line.ts'
import { newWebhookSecret } from '../delivery/webhook-secret.ts'
import type { Service } from '../service.ts'

/** Creates a workspace with its first member, its webhook secret and the start of its audit chain. */
export async function createWorkspace(
  { database, secrets }: Service,
  name: string,
  first: { userId: string; role: Role; from: string },
): Promise<{ workspaceId: string; webhookSecret: string }> {
  const workspaceId = newId('workspace')
  const webhookSecret = newWebhookSecret()
  const digest = genesisDigest(workspaceId)
  const signature = signHead({ workspaceId, seq: 0, digest }, secrets.encryptionKey)
  await database.inWorkspace(workspaceId, async (tx) => {
    await insertWorkspace(tx, name, seal(webhookSecret, secrets.encryptionKey, workspaceId))
    await insertMember(tx, first.userId, first.role)
    await insertFirstHead(tx, digest, signature)
    await appendAudit(tx, {
      actor: first.userId,
      from: first.from,
      action: 'workspace.created',
      subject: workspaceId,
    })
  })
  return { workspaceId, webhookSecret }
}
