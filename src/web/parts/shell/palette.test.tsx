import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import Palette from './palette.tsx'

const entry = (label: string, isOneOfMany: boolean) => ({
  id: label,
  group: 'Filter',
  label,
  isOneOfMany,
  run: () => undefined,
})
vi.mock('@tanstack/react-router', () => ({ useNavigate: () => () => undefined }))
vi.mock('./use-palette-entries.ts', () => ({
  usePaletteEntries: () => [entry('Priority: urgent', false), entry('App: refunds', true)],
}))

function openPalette(searchTasks: () => Promise<unknown>) {
  render(paletteOf(searchTasks, () => undefined))
  return screen.getByRole('combobox')
}

function paletteOf(searchTasks: () => Promise<unknown>, onClose: () => void) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  return (
    <QueryClientProvider client={queryClient}>
      <WorkspaceContext value={{ api: { searchTasks }, workspaceId: 'wsp_1' } as never}>
        <Palette onClose={onClose} />
      </WorkspaceContext>
    </QueryClientProvider>
  )
}

test('the palette says that it searches before it says that there are no results', async () => {
  let finish: (found: unknown) => void = () => undefined
  const input = openPalette(
    () =>
      new Promise((resolve) => {
        finish = resolve
      }),
  )
  await userEvent.type(input, 'zebra')
  expect(screen.getByRole('status').textContent).toBe('Searching…')
  await vi.waitFor(() => {
    finish({ tasks: [] })
    expect(screen.getByRole('status').textContent).toBe('No results.')
  })
})

test('the palette says that the search failed, also beside commands that match', async () => {
  await userEvent.type(
    openPalette(() => Promise.reject(new Error('down'))),
    'urgent',
  )
  await vi.waitFor(() =>
    expect(screen.getByRole('status').textContent).toBe("The tasks couldn't be searched."),
  )
  expect(screen.getByRole('option').textContent).toBe('Priority: urgent')
})

test('the palette does not say that one character has no results, because it does not search for it', async () => {
  const searchTasks = vi.fn(async () => ({ tasks: [] }))
  await userEvent.type(openPalette(searchTasks), 'x')
  expect(screen.getByRole('status').textContent).toBe('Type one more character to search tasks.')
  expect(searchTasks).not.toHaveBeenCalled()
})

test('a task that is not open shows its status in the words of the Handled page', async () => {
  const task = {
    taskId: 'tsk_1',
    name: 'Refund?',
    app: 'a',
    type: 't',
    priority: 'normal',
    status: 'expired',
  }
  await userEvent.type(
    openPalette(() => Promise.resolve({ tasks: [task] })),
    'refund',
  )
  expect((await screen.findByRole('option', { name: /Refund/ })).textContent).toMatch(/Expired$/)
})

test('Back closes the palette, also if the router renders the page first', () => {
  const noTasks = () => Promise.resolve({ tasks: [] })
  const onClose = vi.fn()
  // The router registers its listener when the page loads.
  window.addEventListener('popstate', () => rerender(paletteOf(noTasks, onClose)), { once: true })
  const { rerender } = render(paletteOf(noTasks, () => undefined))
  window.dispatchEvent(new PopStateEvent('popstate'))
  expect(onClose).toHaveBeenCalledOnce()
})

test('a space lists no more than an empty field', async () => {
  const input = openPalette(() => Promise.resolve({ tasks: [] }))
  await userEvent.type(input, ' ')
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Priority: urgent'])
})
