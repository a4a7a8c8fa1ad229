import { vi } from 'vitest'

/** The token of the set-up link that the first start prints. */
export async function setUpToken(node: { output(): string }): Promise<string> {
  const find = () => /\/setup#(\S+)/.exec(node.output())?.[1]
  return await vi.waitUntil(find, { timeout: 10_000, interval: 10 })
}
