import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

// Whoever is made in a test signs in next, so the same password with the same salt is stretched twice or more, at a tenth
// of a second of processor time each. The answer depends on nothing else, so the second time it is remembered. A wrong
// password is another one, and is stretched.
const known = new Map<string, Buffer>()
const stretch = crypto.scrypt
const held = new Map<string, { reached(): void; released: Promise<void> }>()

type Done = (error: Error | null, key: Buffer) => void

function remembered(password: string, salt: string, length: number, options: object, done: Done): void {
  const asked = JSON.stringify([password, salt, length, options])
  const hold = held.get(password)
  if (hold) {
    held.delete(password)
    hold.reached()
    void hold.released.then(() => remembered(password, salt, length, options, done))
    return
  }
  const found = known.get(asked)
  if (found) return void setImmediate(done, null, found)
  stretch(password, salt, length, options, (error, key) => {
    if (!error) known.set(asked, key)
    done(error, key)
  })
}

/** The next hashing of this password stops, once it is reached, until it is released: whoever waits for it is under way. */
export function holdHashing(password: string): { reached: Promise<void>; release(): void } {
  let release!: () => void
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const reached = new Promise<void>((resolve) => held.set(password, { reached: resolve, released }))
  return { reached, release }
}

Object.assign(crypto, { scrypt: remembered })
syncBuiltinESMExports()
