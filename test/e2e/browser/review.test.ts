import { describe, expect, test } from 'vitest'
import { expectAccessibleLayout } from '../../support/accessible-layout.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { taskPayload } from '../../support/service.ts'
import { waitUntilAnswerable } from '../../support/wait-until-answerable.ts'

describe('a task that two people must answer', () => {
  const { acme, visit } = setUpBrowserTests({ freshWorkspace: true })

  test('shows how many have answered, all answers after one’s own, and to others who may answer', async () => {
    const [ana, ben] = [await acme.person('member', 'Ana'), await acme.person('member', 'Ben')]
    const review = { by: [ana.email, ben.email], needed: 2 }
    const { taskId } = (await acme.agent.post('/tasks', taskPayload({ review }))).body
    const open = async (cookie: string) =>
      (await visit(`/w/${acme.workspaceId}/inbox/${taskId}`, { cookie })).page

    const first = await open(ana.cookie)
    await first
      .getByText(
        '2 people must give the same answer; one “Reject” or “Mark done” ends the task. Nobody has answered yet.',
      )
      .waitFor()
    await waitUntilAnswerable(first)
    await first.keyboard.press('Alt+1')
    await first.keyboard.press('Control+Enter')
    await expect.poll(async () => (await ben.get(`/tasks/${taskId}`)).body.review.given).toBe(1)
    // The task is still open, so the list keeps it.
    await first.getByRole('option').getByText('You answered · 1 of 2').waitFor()

    const second = await open(ben.cookie)
    await second.getByText('1 person answered. You see the other answers once you have answered.').waitFor()
    await second.getByRole('option').getByText('1 of 2').waitFor()
    expect(await second.getByText('Ana').count()).toBe(0)

    const outside = await open(acme.owner.cookie)
    const panel = outside.getByRole('complementary', { name: 'Review' })
    await panel.getByText(`Only ${ana.email}, ${ben.email} may answer this task.`).waitFor()
    expect(await outside.getByRole('button', { name: 'Approve' }).count()).toBe(0)
    await expectAccessibleLayout(outside)

    const again = await open(ana.cookie)
    const answered = again.getByRole('complementary', { name: 'Review' })
    await answered.getByRole('heading', { name: 'You have answered' }).waitFor()
    await answered.getByRole('list', { name: 'Answers' }).getByText('Ana').waitFor()
    await expectAccessibleLayout(again)

    await waitUntilAnswerable(second)
    await second.keyboard.press('Alt+1')
    await second.keyboard.press('Control+Enter')
    await expect.poll(async () => (await acme.agent.get(`/tasks/${taskId}`)).body.status).toBe('handled')
    const handled = (await visit(`/w/${acme.workspaceId}/handled/${taskId}`)).page
    const answers = handled
      .getByRole('complementary', { name: 'Answer' })
      .getByRole('list', { name: 'Answers' })
    await answers.getByText('Ben').waitFor()
    expect(await answers.getByRole('listitem').count()).toBe(2)
    await handled.getByText(/^2 people answered, /).waitFor()
    await expectAccessibleLayout(handled)
  })
})
