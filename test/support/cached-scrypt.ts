import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

// Tests create hundreds of people, and hashing a password takes 100 ms of processor time. The
// result depends only on the password and the salt, so it is cached, and all people of a process
// have the same salt. The parameters are the real ones: any other process accepts the password.
const cache = new Map<string, Buffer>()
const { scrypt, randomBytes } = crypto
const sharedSalt = randomBytes(16)
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

/**
 * Pauses the next hashing of this password until `release` is called. `reached` resolves when it
 * has been paused.
 */
export function holdHashing(password: string): { reached: Promise<void>; release(): void } {
  let release!: () => void
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const reached = new Promise<void>((resolve) => held.set(password, { reached: resolve, released }))
  return { reached, release }
}

/** better-auth takes the salt of a new password from randomBytes. */
function randomBytesOrSalt(size: number, done?: Done): Buffer | undefined {
  if (size === sharedSalt.length && nameOfCaller(randomBytesOrSalt) === 'hashPassword') return sharedSalt
  return done ? void randomBytes(size, done) : randomBytes(size)
}

/** The name of the function that called this one, without formatting a stack trace. */
function nameOfCaller(called: (...args: never[]) => unknown): string | null | undefined {
  const { prepareStackTrace, stackTraceLimit } = Error
  const here: { stack?: NodeJS.CallSite[] } = {}
  Error.prepareStackTrace = (_, calls) => calls
  Error.stackTraceLimit = 1
  Error.captureStackTrace(here, called)
  const name = here.stack?.[0]?.getFunctionName()
  Object.assign(Error, { prepareStackTrace, stackTraceLimit })
  return name
}

Object.assign(crypto, { scrypt: cachedScrypt, randomBytes: randomBytesOrSalt })
syncBuiltinESMExports()
