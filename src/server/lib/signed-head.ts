import { createHmac, hkdfSync } from 'node:crypto'
import { sameText } from './same-text.ts'

// The head (last entry) of a workspace's audit chain, signed. The signature format must never change,
// because it verifies heads from old logs. The key is derived from ENCRYPTION_KEY, which is not in
// the database, so write access there is not enough to truncate a chain.

export type Head = { workspaceId: string; seq: number; digest: string }

export function signHead({ workspaceId, seq, digest }: Head, encryptionKey: string): string {
  const key = Buffer.from(hkdfSync('sha256', encryptionKey, '', 'handrail audit head', 32))
  return createHmac('sha256', key).update(`${workspaceId} ${seq} ${digest}`).digest('hex')
}

export function isSignedHead(head: Head, signature: string, encryptionKey: string): boolean {
  return sameText(signHead(head, encryptionKey), signature)
}
