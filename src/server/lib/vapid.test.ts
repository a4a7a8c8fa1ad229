import { createPublicKey, sign, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { deriveVapidKeys } from './vapid.ts'

const encryptionKey = 'an encryption key with enough characters'

test('the keys are always the same for one ENCRYPTION_KEY, and different for another', () => {
  const keys = deriveVapidKeys(encryptionKey)
  expect(deriveVapidKeys(encryptionKey)).toEqual(keys)
  expect(deriveVapidKeys(`${encryptionKey}!`).publicKey).not.toBe(keys.publicKey)
})

test('they are a pair: what the private key signs, the public key verifies', () => {
  for (let count = 0; count < 50; count++) {
    const { publicKey, privateKey } = deriveVapidKeys(encryptionKey + count)
    const point = Buffer.from(publicKey, 'base64url')
    expect(point).toHaveLength(65)
    expect(Buffer.from(privateKey, 'base64url')).toHaveLength(32)
    const x = point.subarray(1, 33).toString('base64url')
    const y = point.subarray(33).toString('base64url')
    const jwk = { kty: 'EC', crv: 'P-256', x, y }
    const signature = sign('sha256', Buffer.from('text'), {
      key: { ...jwk, d: privateKey },
      format: 'jwk',
    })
    expect(
      verify('sha256', Buffer.from('text'), createPublicKey({ key: jwk, format: 'jwk' }), signature),
    ).toBe(true)
  }
})
