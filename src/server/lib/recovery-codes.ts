import { randomBytes } from 'node:crypto'

// Without letters that look like others. 10 of 32 characters: 50 bits per code.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const count = 10

export function newRecoveryCodes(): string[] {
  return Array.from({ length: count }, () => {
    const text = Array.from(randomBytes(10), (byte) => alphabet[byte % alphabet.length]).join('')
    return `${text.slice(0, 5)}-${text.slice(5)}`
  })
}
