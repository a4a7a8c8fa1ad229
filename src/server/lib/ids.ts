import { randomFillSync } from 'node:crypto'
import { idPrefixes } from '../../contract/ids.ts'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** 48 bits of milliseconds and 80 random bits in Crockford base32, so that ids sort by creation time. */
export function newId(kind: keyof typeof idPrefixes, at = Date.now()): string {
  let time = at
  let head = ''
  for (let i = 0; i < 10; i++) {
    head = alphabet[time % 32] + head
    time = Math.floor(time / 32)
  }
  let tail = ''
  for (const byte of takeRandomBytes(16)) tail += alphabet[byte % 32]
  return idPrefixes[kind] + head + tail
}

export function newRequestId(): string {
  return `req_${takeRandomBytes(9).toString('base64url')}`
}

// Filled in bulk, because getting a few random bytes takes as long as getting many. Only for ids:
// secrets must not wait in memory.
const pool = Buffer.alloc(4_096)
let used = pool.length

/** Use the bytes immediately: the pool is overwritten later. */
function takeRandomBytes(count: number): Buffer {
  if (used + count > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += count
  return pool.subarray(used - count, used)
}
