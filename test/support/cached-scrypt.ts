import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

// Tests create users and sign them in right away, so the same password and salt are hashed several times, at 100 ms of
// processor time each. The result depends on nothing else, so it is cached. A wrong password is not in the cache.
const cache = new Map<string, Buffer>()
const scrypt = crypto.scrypt
const held = new Map<string, { reached(): void; released: Promise<void> }>()

type Done = (error: Error | null, key: Buffer) => void

function cachedScrypt(password: string, salt: string, length: number, options: object, done: Done): void {
  const key = JSON.stringify([password, salt, length, options])
  const hold = held.get(password)
  if (hold) {
    held.delete(password)
    hold.reached()
    void hold.released.then(() => cachedScrypt(password, salt, length, options, done))
    return
  }
  const cached = cache.get(key)
  if (cached) return void setImmediate(done, null, cached)
  scrypt(password, salt, length, options, (error, hash) => {
    if (!error) cache.set(key, hash)
    done(error, hash)
  })
}

/** Pauses the next hashing of this password until `release` is called. `reached` resolves when it has been paused. */
export function holdHashing(password: string): { reached: Promise<void>; release(): void } {
  let release!: () => void
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const reached = new Promise<void>((resolve) => held.set(password, { reached: resolve, released }))
  return { reached, release }
}

Object.assign(crypto, { scrypt: cachedScrypt })
syncBuiltinESMExports()
