import { createHmac, hkdfSync } from 'node:crypto'
import { sameText } from './same-text.ts'

// The token in the unsubscribe links of emails. It never expires, because links in old emails must
// still work, and it only permits turning emails off.

export type Subscriber = { workspaceId: string; userId: string }

export function signUnsubscribeToken({ workspaceId, userId }: Subscriber, encryptionKey: string): string {
  const key = Buffer.from(hkdfSync('sha256', encryptionKey, '', 'handrail unsubscribe', 32))
  const signature = createHmac('sha256', key).update(`${workspaceId} ${userId}`).digest('base64url')
  return `${workspaceId}.${userId}.${signature}`
}

/** undefined: not signed by this service. */
export function readUnsubscribeToken(token: string, encryptionKey: string): Subscriber | undefined {
  const [workspaceId = '', userId = ''] = token.split('.')
  const subscriber = { workspaceId, userId }
  return sameText(signUnsubscribeToken(subscriber, encryptionKey), token) ? subscriber : undefined
}
