import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../lib/workspace.ts'
import { HandledPage } from './handled-page.tsx'

const navigate = vi.hoisted(() => vi.fn())
const none = vi.hoisted(() => () => null)
vi.mock('@tanstack/react-router', () => ({
  useNavigate: () => navigate,
  useParams: () => ({ taskId: 'tsk_1' }),
  useSearch: () => ({ app: 'shop' }),
}))
vi.mock('../../lib/use-is-phone.ts', () => ({ useIsPhone: () => true }))
vi.mock('../../lib/use-open-count.ts', () => ({ useOpenCount: () => 0 }))
vi.mock('../../parts/answers/use-send-answers.ts', () => ({ useSendAnswers: () => ({}) }))
vi.mock('../../parts/shell/nav.tsx', () => ({ Nav: none }))
vi.mock('./handled-bar.tsx', () => ({ HandledBar: none }))
vi.mock('./use-handled-tasks.ts', () => ({ useHandledTasks: () => ({ tasks: [], isCurrent: true }) }))
vi.mock('../../parts/answers/answer-frame.tsx', () => ({
  AnswerFrame: ({ children, onOpen }: { children: unknown; onOpen: (task: object) => void }) => (
    <>
      {children}
      <button type="button" onClick={() => onOpen({ workspaceId: 'acme', taskId: 'tsk_2' })}>
        Here
      </button>
      <button type="button" onClick={() => onOpen({ workspaceId: 'other', taskId: 'tsk_2' })}>
        Elsewhere
      </button>
    </>
  ),
}))
vi.mock('../../parts/task-view/task-pane.tsx', () => ({
  TaskPane: () => (
    <article id="task-content" tabIndex={-1}>
      <textarea />
    </article>
  ),
}))

beforeEach(() => {
  navigate.mockReset()
  render(
    <WorkspaceContext value={{ workspaceId: 'acme' } as never}>
      <HandledPage />
    </WorkspaceContext>,
  )
})

test('Escape leaves a field of the task before it closes the task', async () => {
  await userEvent.type(screen.getByRole('textbox'), 'Note{Escape}')
  expect(document.activeElement?.id).toBe('task-content')
  expect(navigate).not.toHaveBeenCalled()
  await userEvent.keyboard('{Escape}')
  expect(navigate).toHaveBeenCalledWith(expect.objectContaining({ to: '/w/$workspaceId/handled' }))
})

test('the task of an answer is opened with the filters of this workspace, and in another one without', async () => {
  await userEvent.click(screen.getByRole('button', { name: 'Here' }))
  await userEvent.click(screen.getByRole('button', { name: 'Elsewhere' }))
  expect(navigate.mock.calls.map(([{ params, search }]) => [params.workspaceId, search])).toEqual([
    ['acme', true],
    ['other', {}],
  ])
})
