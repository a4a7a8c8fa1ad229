import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'

// AES-256-GCM. `context`, such as the id of a workspace or the purpose of a cookie, is
// authenticated with the text, so that a sealed value copied to another place does not open.

export function seal(text: string, encryptionKey: string, context: string): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyBytes(encryptionKey), iv)
  cipher.setAAD(Buffer.from(context))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return `v1.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')}`
}

export function open(sealed: string, encryptionKey: string, context: string): string {
  if (!sealed.startsWith('v1.')) throw new Error('The sealed text has an unknown version.')
  const bytes = Buffer.from(sealed.slice(3), 'base64')
  const decipher = createDecipheriv('aes-256-gcm', keyBytes(encryptionKey), bytes.subarray(0, 12))
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
}

/** Operators provide any long random string; the cipher needs 32 bytes. */
function keyBytes(encryptionKey: string): Buffer {
  return createHash('sha256').update(`handrail:encryption:${encryptionKey}`).digest()
}
