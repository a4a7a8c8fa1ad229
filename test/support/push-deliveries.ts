import { expect, vi } from 'vitest'
import type { Delivery } from '../../src/contract/delivery.ts'
import { type TestWorkspace, taskPayload } from './service.ts'
import { waitOptions } from './wait-options.ts'

/** A task whose answer is pushed over MCP. */
export const pushedPayload = taskPayload({ delivery: 'sse' })

export async function deliveriesOf(workspace: TestWorkspace, taskId: string): Promise<Delivery[]> {
  return (await workspace.owner.get(`/deliveries?taskId=${taskId}`)).body.deliveries
}

export function waitUntilDelivered(workspace: TestWorkspace, taskId: string, count = 1): Promise<Delivery[]> {
  return vi.waitFor(async () => {
    const deliveries = await deliveriesOf(workspace, taskId)
    expect(deliveries.map(({ state }) => state)).toEqual(Array(count).fill('delivered'))
    return deliveries
  }, waitOptions)
}
