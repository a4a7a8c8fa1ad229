/** 128 random bits as letters and digits. `crypto.randomUUID` exists only over HTTPS and on localhost. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join('')
}
