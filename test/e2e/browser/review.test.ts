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
    const path = `/w/${acme.workspaceId}/inbox/${taskId}`
    const { page, go, goAs } = await visit(path, { cookie: ana.cookie })
    await page
      .getByText(
        '2 people must give the same answer; one “Reject” or “Mark done” ends the task. Nobody has answered yet.',
      )
      .waitFor()
    await waitUntilAnswerable(page)
    await page.keyboard.press('Alt+1')
    await page.keyboard.press('Control+Enter')
    await expect.poll(async () => (await ben.get(`/tasks/${taskId}`)).body.review.given).toBe(1)
    // The task is still open, so the list keeps it.
    await page.getByRole('option').getByText('You answered · 1 of 2').waitFor()

    await goAs(ben.cookie, path)
    await page.getByText('1 person answered. You see the other answers once you have answered.').waitFor()
    await page.getByRole('option').getByText('1 of 2').waitFor()
    expect(await page.getByText('Ana').count()).toBe(0)

    await goAs(acme.owner.cookie, path)
    const panel = page.getByRole('complementary', { name: 'Review' })
    await panel.getByText(`Only ${ana.email}, ${ben.email} may answer this task.`).waitFor()
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0)

    await goAs(ana.cookie, path)
    await panel.getByRole('heading', { name: 'You have answered' }).waitFor()
    await panel.getByRole('list', { name: 'Answers' }).getByText('Ana').waitFor()
    await expectAccessibleLayout(page)

    await ben.post(`/tasks/${taskId}/handle`, { actionId: 'approve' })
    await go(`/w/${acme.workspaceId}/handled/${taskId}`)
    const answers = page.getByRole('complementary', { name: 'Answer' }).getByRole('list', { name: 'Answers' })
    await answers.getByText('Ben').waitFor()
    expect(await answers.getByRole('listitem').count()).toBe(2)
    await page.getByText(/^2 people answered, /).waitFor()
    await expectAccessibleLayout(page)
  })
})
