import { vi } from 'vitest'
import { waitOptions } from './wait-options.ts'

/** The token of the setup link that the first start prints. */
export async function setUpToken(node: { output(): string }): Promise<string> {
  const find = () => /\/setup#(\S+)/.exec(node.output())?.[1]
  return await vi.waitUntil(find, waitOptions)
}
