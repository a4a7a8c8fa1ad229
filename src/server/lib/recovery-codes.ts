import { randomBytes } from 'node:crypto'

// Without letters that look like others. 10 of 32 characters: 50 bits per code.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const codeLength = 10
const codeCount = 10

export function newRecoveryCodes(): string[] {
  return Array.from({ length: codeCount }, () => {
    const text = Array.from(randomBytes(codeLength), (byte) => alphabet[byte % alphabet.length]).join('')
    return `${text.slice(0, codeLength / 2)}-${text.slice(codeLength / 2)}`
  })
}
