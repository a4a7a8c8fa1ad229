import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test, vi } from 'vitest'
import { forgetInMemoryDrafts } from '../../../lib/in-memory-drafts.ts'
import { WorkspaceContext } from '../../../lib/workspace.ts'
import { countUnsaved } from '../../answers/unsaved-drafts.ts'
import NoteDialog from './note-dialog.tsx'

// Loaded lazily, which takes seconds on a busy machine.
beforeAll(() => import('../../../ui/dialog-window.tsx'))

const addNote = vi.fn(async () => undefined)

async function openDialog(): Promise<HTMLTextAreaElement> {
  const api = { addNote, members: async () => ({ members: [] }), groups: async () => ({ groups: [] }) }
  const me = { person: { userId: 'mara', email: 'mara@shop.example' }, workspaces: [] }
  const session = { api, workspaceId: 'acme', me }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={session as never}>
        <NoteDialog task={{ taskId: 'tsk_1', threadId: 'thr_1' } as never} onClose={() => undefined} />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  return await screen.findByLabelText<HTMLTextAreaElement>('For your colleagues')
}

test('a note that was not sent survives a reload until it is sent', async () => {
  await userEvent.type(await openDialog(), 'Call first')
  cleanup()
  // A reload forgets only what is in memory.
  forgetInMemoryDrafts('mara')
  expect((await openDialog()).value).toBe('Call first')
  expect(countUnsaved('mara')).toBe(1)
  await userEvent.click(screen.getByRole('button', { name: /^Add note/ }))
  await waitFor(() => expect(countUnsaved('mara')).toBe(0))
  expect(addNote.mock.lastCall).toMatchObject(['tsk_1', { text: 'Call first' }])
})
