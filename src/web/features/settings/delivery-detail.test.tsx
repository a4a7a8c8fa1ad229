import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { DeliveryDetail } from './delivery-detail.tsx'

const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const body = JSON.stringify({ type: 'service/task_handled', traceparent: trace })

async function headersOf(delivery: object): Promise<string[] | undefined> {
  const stored = { deliveryId: 'dlv_1', eventId: 'evt_1', state: 'delivered', attempts: [], ...delivery }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={{ api: { delivery: async () => ({ body }) }, workspaceId: 'wsp_1' } as never}>
        <DeliveryDetail delivery={stored as never} />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  const shown = (await screen.findByText(/"type": "service\/task_handled"/)).textContent
  return shown?.split('\n\n')[0]?.split('\n')
}

test.each([
  [{ kind: 'chat' }, []],
  [{ kind: 'sse' }, ['webhook-id', 'webhook-timestamp', 'webhook-signature']],
  [
    { kind: 'callback', url: 'https://a.example/hook' },
    ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'traceparent'],
  ],
])('the request of %o is shown with all its headers', async (delivery, others) => {
  const [, ...headers] = (await headersOf(delivery)) ?? []
  expect(headers.map((line) => line.split(':')[0])).toEqual(['content-type', 'user-agent', ...others])
})

test('what was no longer needed is not shown as a failure', async () => {
  const error = 'Not sent: the task has ended.'
  const attempt = { at: '2026-11-18T12:00:00.000Z', durationMilliseconds: 0 }
  const attempts = [
    { ...attempt, number: 1, status: 429 },
    { ...attempt, number: 2, error },
  ]
  await headersOf({ kind: 'push', attempts })
  const [refused, notNeeded] = screen.getAllByRole('listitem')
  expect(refused!.className).toMatch(/bad/)
  expect(notNeeded!.className).toMatch(/good/)
  expect(notNeeded!.textContent).toContain(error)
})
