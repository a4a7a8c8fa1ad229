import { createECDH, hkdfSync } from 'node:crypto'

export type VapidKeys = { publicKey: string; privateKey: string }

// The order of the curve P-256.
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/**
 * The key pair that identifies this service to push services. Derived from ENCRYPTION_KEY, which
 * stays the same and which all nodes share, so that nothing more has to be stored.
 */
export function deriveVapidKeys(encryptionKey: string): VapidKeys {
  // 48 bytes, 16 more than the order has, so that the remainder is evenly distributed.
  const bytes = Buffer.from(hkdfSync('sha256', encryptionKey, '', 'handrail:vapid', 48))
  const scalar = (BigInt(`0x${bytes.toString('hex')}`) % (order - 1n)) + 1n
  const privateKey = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex')
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(privateKey)
  return { publicKey: curve.getPublicKey('base64url'), privateKey: privateKey.toString('base64url') }
}
