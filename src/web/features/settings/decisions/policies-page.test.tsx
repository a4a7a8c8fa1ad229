import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { beforeAll, expect, test, vi } from 'vitest'
import { WorkspaceContext } from '../../../lib/workspace.ts'
import { PoliciesPage } from './policies-page.tsx'

// Loaded lazily, which takes seconds on a busy machine.
beforeAll(() => import('../../../ui/dialog-window.tsx'))

const person = (name: string) => ({
  userId: `usr_${name}`,
  name,
  email: `${name.toLowerCase()}@x.example`,
  role: name === 'Olga' ? 'owner' : 'member',
  emailVerified: true,
})
const treasury = { groupId: 'grp_1', slug: 'treasury', name: 'Treasury', members: ['ana@x.example'] }
const noPreview = { tasks: 0, tooFew: 0, hasMore: false }

function show(policies: object[], role = 'admin', preview: object = noPreview) {
  const api = {
    policies: async () => ({ policies }),
    groups: async () => ({ groups: [treasury] }),
    members: async () => ({ members: ['Olga', 'Ana', 'Ben'].map(person) }),
    inboxFacets: async () => ({ apps: ['bank'], types: ['wire'] }),
    previewPolicy: vi.fn(async () => preview),
    createPolicy: vi.fn(async () => ({})),
    changePolicy: vi.fn(async () => ({})),
  }
  const me = { workspaces: [{ workspaceId: 'wsp_1', role }] }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <WorkspaceContext value={{ api, me, workspaceId: 'wsp_1' } as never}>
        <PoliciesPage />
      </WorkspaceContext>
    </QueryClientProvider>,
  )
  return api
}

async function openDialog(title: 'Create policy' | 'Edit policy', button: string = title) {
  fireEvent.click(await screen.findByRole('button', { name: button }))
  // While it is loading, it has another title.
  const dialog = within(await screen.findByRole('dialog', { name: title }))
  return {
    ...dialog,
    summary: within(dialog.getByRole('region', { name: 'Summary of the policy' })),
    enter: (label: string, value: string) =>
      fireEvent.change(dialog.getByLabelText(label), { target: { value } }),
    check: (label: string) => fireEvent.click(dialog.getByLabelText(new RegExp(`^${label}`))),
    submit: (name: string) => fireEvent.click(dialog.getByRole('button', { name })),
  }
}

test('the summary follows the form', async () => {
  show([])
  const { summary, enter, check } = await openDialog('Create policy')
  summary.getByText('Tasks: every member may answer. One answer is enough.')
  enter('App', 'bank')
  enter('Type', 'wire')
  enter('Reviewers', 'some')
  check('Treasury')
  enter('Answers needed', '2')
  enter('What “Reject” and “Mark done” do', 'end')
  summary.getByText(
    'Tasks of app bank and type wire: only Treasury may answer. 2 people must give the same answer; one “Reject” or “Mark done” ends the task. The people behind the task and people with an unverified address may not answer.',
  )
})

test('saving a policy does not close a dialog that was opened meanwhile', async () => {
  const api = show([])
  let save: (policy: object) => void = () => undefined
  api.createPolicy.mockImplementation(() => new Promise((resolve) => (save = resolve)))
  const first = await openDialog('Create policy')
  first.enter('App', 'bank')
  first.submit('Create policy')
  await vi.waitFor(() => expect(api.createPolicy).toHaveBeenCalled())
  first.submit('Cancel')
  await openDialog('Create policy')
  save({})
  await act(() => new Promise((resolve) => setTimeout(resolve, 20)))
  screen.getByRole('dialog', { name: 'Create policy' })
})

test('a policy without reviewers is not created, and its list of reviewers takes the focus', async () => {
  const api = show([])
  const { enter, submit, getByText, getAllByRole } = await openDialog('Create policy')
  enter('App', 'bank')
  enter('Reviewers', 'some')
  submit('Create policy')
  getByText('Select at least one group or member.')
  expect(document.activeElement).toBe(getAllByRole('checkbox')[0])
  expect(api.createPolicy).not.toHaveBeenCalled()
})

test('a change sends only what was changed, so that the change of another admin is kept', async () => {
  const escalate = [{ afterMinutes: 90, to: 'group:treasury', raisePriority: true }]
  const policy = { by: ['ben@x.example'], needed: 2, onDecline: 'end', answerWithinMinutes: 60, escalate }
  const api = show([{ policyId: 'pol_1', app: 'bank', type: 'wire', ...policy }])
  const { enter, check, submit } = await openDialog(
    'Edit policy',
    'Edit the policy for tasks of app bank and type wire',
  )
  enter('Answers needed', '1')
  enter('Reviewers', 'every')
  check('The people behind the task may answer')
  enter('Percent of tasks that two people answer', '12.5')
  check("Don't allow answers in Slack")
  submit('Save policy')
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(api.changePolicy).toHaveBeenCalledWith('pol_1', {
    by: null,
    needed: null,
    requesterMayAnswer: false,
    doubleReviewShare: 0.125,
    linkOnly: true,
  })
})

test('a double review that had no effect is not turned on by asking for one answer', async () => {
  const api = show([{ policyId: 'pol_1', app: 'bank', needed: 2, doubleReviewShare: 0.2 }])
  const { enter, submit } = await openDialog('Edit policy', 'Edit the policy for tasks of app bank')
  enter('Answers needed', '1')
  enter('Percent of tasks that two people answer', '')
  submit('Save policy')
  await vi.waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(api.changePolicy).toHaveBeenCalledWith('pol_1', { needed: null, doubleReviewShare: null })
})

test('the summary says what the policy would have done with recent tasks, and what is wrong with it', async () => {
  const warning = 'Only 1 person can answer, so one absence blocks a task.'
  const preview = { tasks: 2, tooFew: 1, tooSlow: 0, hasMore: false, warnings: [warning] }
  const api = show([], 'admin', preview)
  const { summary, enter } = await openDialog('Create policy')
  enter('App', 'bank')
  enter('Answer within (minutes)', '60')
  await summary.findByText(/^Last 7 days: this policy would have applied to 2 tasks\./)
  await summary.findByText(/ None took longer than 1 hour\.$/)
  summary.getByText('1 would have been refused: too few people could answer.')
  summary.getByText(warning)
  expect(api.previewPolicy).toHaveBeenLastCalledWith(
    { app: 'bank', answerWithinMinutes: 60 },
    expect.anything(),
  )
})

test('a member sees the policies and their warnings, and whom to ask for a change', async () => {
  show(
    [{ policyId: 'pol_1', type: 'wire', by: ['group:treasury'], warnings: ['Nobody can answer.'] }],
    'member',
  )
  await screen.findByText('Only admins and owners can create and change policies. Ask Olga.')
  await screen.findByText('Only Treasury may answer. One answer is enough.')
  screen.getByText('Nobody can answer.')
  expect(screen.queryByRole('button')).toBeNull()
})
