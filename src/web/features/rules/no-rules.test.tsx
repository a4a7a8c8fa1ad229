import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { NoRules } from './no-rules.tsx'

/** `read`: answers to tasks with the actions that tasks have now. */
function renderWith(answers: number, read: number, suggestions: unknown[] = []) {
  const api = {
    statistics: async () => ({ pairs: [{ app: 'shop', type: 'refund', answers }] }),
    ruleSuggestions: async () => ({ answers: read, needed: 200, suggestions }),
  }
  const me = { workspaces: [{ workspaceId: 'wsp_1', role: 'admin' }] }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={{ me, workspaceId: 'wsp_1', api } as never}>
        <NoRules />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
}
const paragraph = (text: RegExp) =>
  screen.findByText((_, element) => element?.tagName === 'P' && text.test(element.textContent))

test('while there are too few answers, the page says how many are needed', async () => {
  renderWith(120, 120)
  await paragraph(/have answered 200 of .* Closest: shop \/ refund with 120\.$/)
})

test('answers to tasks with other actions do not count', async () => {
  renderWith(1078, 150)
  await paragraph(/have answered 200 of .* with 150\.$/)
})

test('with enough answers and no suggestion, the page says why', async () => {
  renderWith(1078, 1078)
  const { textContent } = await paragraph(/No pattern/)
  expect(textContent).toBe('No pattern is consistent enough yet in shop / refund (1,078 answers read).')
})

test('with a suggestion, the page does not claim that there is none', async () => {
  renderWith(1078, 1078, [{}])
  await paragraph(/within \d+ days\.$/)
  expect(screen.queryByText(/No pattern/)).toBeNull()
})
