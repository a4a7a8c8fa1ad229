import { randomBytes } from 'node:crypto'
import { idPrefixes } from '../../contract/ids.ts'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** 48 bits of milliseconds, then 80 random bits, in Crockford base32: ids sort by the time they were made. */
export function newId(kind: keyof typeof idPrefixes): string {
  let time = Date.now()
  let head = ''
  for (let i = 0; i < 10; i++) {
    head = alphabet[time % 32] + head
    time = Math.floor(time / 32)
  }
  let tail = ''
  for (const byte of randomBytes(16)) tail += alphabet[byte % 32]
  return idPrefixes[kind] + head + tail
}
