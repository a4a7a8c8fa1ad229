import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { DeliveryLog } from './delivery-log.tsx'

afterEach(() => {
  vi.useRealTimers()
})

async function show(dueForSeconds: number) {
  vi.useFakeTimers({ now: new Date('2026-11-18T12:00:00.000Z') })
  const delivery = {
    ...{ deliveryId: 'dlv_1', eventType: 'service/digest', kind: 'mail', to: 'Ana' },
    ...{ state: 'pending', attemptCount: 0, attempts: [], createdAt: '2026-11-18T11:00:00.000Z' },
    nextAttemptAt: new Date(Date.now() - dueForSeconds * 1_000).toISOString(),
  }
  const deliveries = vi.fn(async () => ({ deliveries: [delivery], nextCursor: null }))
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={{ api: { deliveries }, workspaceId: 'wsp_1' } as never}>
        <DeliveryLog />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  await vi.advanceTimersByTimeAsync(1)
  return deliveries
}

test('a delivery that is due is being sent, and the log is fetched again every 2 seconds', async () => {
  const deliveries = await show(5)
  expect(screen.getByText('Sending…')).toBeTruthy()
  await vi.advanceTimersByTimeAsync(4_000)
  expect(deliveries).toHaveBeenCalledTimes(3)
})

test('a delivery that nothing can send is waiting, and the log is fetched again every 15 seconds', async () => {
  const deliveries = await show(3_600)
  expect(screen.getByText('Waiting')).toBeTruthy()
  await vi.advanceTimersByTimeAsync(14_000)
  expect(deliveries).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(deliveries).toHaveBeenCalledTimes(2)
})
