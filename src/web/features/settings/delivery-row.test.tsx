import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { DeliveryRow } from './delivery-row.tsx'

function show(delivery: object) {
  const stored = { deliveryId: 'dlv_1', state: 'delivered', attemptCount: 0, attempts: [], ...delivery }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={{ api: {}, workspaceId: 'wsp_1' } as never}>
        <DeliveryRow delivery={{ ...stored, createdAt: '2026-11-18T12:00:00.000Z' } as never} />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
}

test.each([
  [
    { kind: 'callback', url: 'https://a.example/hook' },
    'Handrail sends the message to a.example/hook again, unchanged.',
  ],
  [{ kind: 'sse' }, 'Handrail sends the message on the MCP stream of the agent again, unchanged.'],
  [
    { kind: 'mail', to: 'Ana', eventType: 'service/task_updated' },
    'Handrail sends the email to Ana again, with current information.',
  ],
  [
    { kind: 'mail', to: 'Ana', eventType: 'service/task_created' },
    "Handrail sends the email to Ana again, with current information. It isn't sent if it's no longer needed, for example because the task has ended.",
  ],
  [
    { kind: 'mail', to: 'Ana', eventType: 'service/digest' },
    "Handrail sends the email to Ana again, with current information. It isn't sent if it's no longer needed, for example because the task has ended.",
  ],
  [
    { kind: 'push', to: 'Ana', eventType: 'service/task_updated' },
    "Handrail sends the push message to Ana again, with current information. It isn't sent if it's no longer needed.",
  ],
])('redelivering says what is sent: %o', async (delivery, text) => {
  show(delivery)
  await userEvent.click(screen.getByRole('button', { name: /^Redeliver/ }))
  await screen.findByText(text)
})

test('a response, a missing response and no attempt can be told apart', () => {
  const attempt = { number: 1, at: '2026-11-18T12:00:00.000Z', durationMilliseconds: 5 }
  show({ kind: 'sse', attempts: [{ ...attempt, status: 503 }] })
  expect(screen.getByTitle('Response 503').textContent).toBe('Response 503')
  cleanup()
  show({ kind: 'sse', attempts: [attempt] })
  expect(screen.getByTitle('No response').textContent).toBe('Response none')
  cleanup()
  show({ kind: 'sse' })
  expect(screen.queryByText('Response')).toBeNull()
})
