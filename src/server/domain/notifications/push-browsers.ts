import { ECDH } from 'node:crypto'
import { limits } from '../../../contract/limits.ts'
import type { AddPushBrowser, PushBrowser } from '../../../contract/notification.ts'
import { priorities } from '../../../contract/task-fields.ts'
import { isPushService } from '../../lib/push-services.ts'
import { seal } from '../../lib/sealed-text.ts'
import { sha256Hex } from '../../lib/sha256.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import {
  deletePushSubscriptions,
  listPushSubscriptions,
  savePushSubscription,
} from '../../storage/notifications/push-subscriptions.ts'
import { assignedWant, findRoutes, saveRoute } from '../../storage/notifications/routes.ts'
import type { PersonActor } from '../actor.ts'
import { undoIfSignedOut } from '../oauth/connected-apps.ts'
import { invalidRequest, notFound } from '../problems.ts'
import type { Service } from '../service.ts'

// What a person gets by push once they have added their first browser, unless they have chosen
// something else. An empty choice does not count, because it is also stored when they save choices
// for other media only.
const firstWants = [assignedWant, priorities.indexOf('urgent'), priorities.indexOf('high')]

/**
 * Adds a browser. One that was added before is updated, and belongs to whoever adds it last. Above
 * the limit, the person's oldest browsers are removed.
 */
export async function addPushBrowser(
  service: Service,
  actor: PersonActor,
  subscription: AddPushBrowser,
  { userAgent, headers }: { userAgent: string; headers: Headers },
): Promise<PushBrowser> {
  requireValidSubscription(service, subscription)
  const { id: userId, workspaceId } = actor
  // The endpoint is a capability URL and the keys encrypt messages to the browser, so both are
  // stored like secrets.
  const sealed = seal(JSON.stringify(subscription), service.secrets.encryptionKey, workspaceId)
  const browser = await service.database.inWorkspace(workspaceId, async (tx) => {
    const isFirst = (await listPushSubscriptions(tx, userId)).length === 0
    const endpointDigest = sha256Hex(subscription.endpoint)
    const id = await savePushSubscription(tx, { userId, endpointDigest, sealed, userAgent })
    const browsers = await listPushSubscriptions(tx, userId)
    const oldest = browsers.slice(limits.pushBrowsers).map((browser) => browser.id)
    await deletePushSubscriptions(tx, userId, oldest)
    const isWanted = (await findRoutes(tx, userId)).some(({ medium }) => medium === 'push')
    if (isFirst && !isWanted) await saveRoute(tx, { recipient: userId, medium: 'push', wants: firstWants })
    return present(browsers.find((browser) => browser.id === id)!)
  })
  await undoIfSignedOut(service, headers, userId, () =>
    service.database.inWorkspace(workspaceId, (tx) =>
      deletePushSubscriptions(tx, userId, [browser.subscriptionId]),
    ),
  )
  return browser
}

export async function removePushBrowser(
  { database }: Service,
  actor: PersonActor,
  subscriptionId: string,
): Promise<void> {
  await database.inWorkspace(actor.workspaceId, async (tx) => {
    if ((await deletePushSubscriptions(tx, actor.id, [subscriptionId])) === 0) throw notFound('browser')
  })
}

export async function listPushBrowsers(tx: Transaction, userId: string): Promise<PushBrowser[]> {
  return (await listPushSubscriptions(tx, userId)).map(present)
}

function requireValidSubscription({ webPush }: Service, { endpoint, keys }: AddPushBrowser): void {
  if (!isPushService(endpoint, webPush.services))
    throw invalidRequest([
      {
        path: 'endpoint',
        message:
          'Must be a URL of a push service that Handrail allows. The operator can allow more with PUSH_SERVICES.',
      },
    ])
  try {
    ECDH.convertKey(keys.p256dh, 'prime256v1', 'base64url')
  } catch {
    throw invalidRequest([{ path: 'keys.p256dh', message: 'Must be a public key on the curve P-256.' }])
  }
}

function present(row: {
  id: string
  endpointDigest: string
  userAgent: string
  createdAt: Date
}): PushBrowser {
  return {
    subscriptionId: row.id,
    endpointDigest: row.endpointDigest,
    userAgent: row.userAgent,
    createdAt: row.createdAt.toISOString(),
  }
}
