import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

// Whoever is made in a test signs in next, so the same password with the same salt is stretched twice or more, at a tenth
// of a second of processor time each. The answer depends on nothing else, so the second time it is remembered. A wrong
// password is another one, and is stretched.
const known = new Map<string, Buffer>()
const stretch = crypto.scrypt

type Done = (error: Error | null, key: Buffer) => void

function remembered(password: string, salt: string, length: number, options: object, done: Done): void {
  const asked = JSON.stringify([password, salt, length, options])
  const found = known.get(asked)
  if (found) return void setImmediate(done, null, found)
  stretch(password, salt, length, options, (error, key) => {
    if (!error) known.set(asked, key)
    done(error, key)
  })
}

Object.assign(crypto, { scrypt: remembered })
syncBuiltinESMExports()
