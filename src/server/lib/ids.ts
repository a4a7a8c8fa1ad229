import { randomFillSync } from 'node:crypto'
import { idPrefixes } from '../../contract/ids.ts'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** 48 bits of milliseconds, then 80 random bits, in Crockford base32: ids sort by the time they were made. */
export function newId(kind: keyof typeof idPrefixes, at = Date.now()): string {
  let time = at
  let head = ''
  for (let i = 0; i < 10; i++) {
    head = alphabet[time % 32] + head
    time = Math.floor(time / 32)
  }
  let tail = ''
  for (const byte of someRandomBytes(16)) tail += alphabet[byte % 32]
  return idPrefixes[kind] + head + tail
}

export function newRequestId(): string {
  return `req_${someRandomBytes(9).toString('base64url')}`
}

// Many at a time, because asking for a few costs as much. For ids only: secrets do not lie in memory before they are used.
const stock = Buffer.alloc(4_096)
let used = stock.length

/** To be used up at once: the next bytes may be written over them. */
function someRandomBytes(count: number): Buffer {
  if (used + count > stock.length) {
    randomFillSync(stock)
    used = 0
  }
  used += count
  return stock.subarray(used - count, used)
}
