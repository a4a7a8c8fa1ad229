import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { axeViolations } from '../../support/browser.ts'
import { taskNames } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import type { Caller } from '../../support/http.ts'
import { asOwner } from '../../support/rows.ts'
import { taskPayload } from '../../support/service.ts'

describe('the list of handled tasks', () => {
  const { acme, visit } = setUpBrowserTests()
  let mara: Awaited<ReturnType<typeof acme.person>>
  beforeAll(async () => {
    mara = await acme.person('member', 'Mara')
    await acme.person('member', 'Idle')
    const send = async (name: string, app = 'shop') =>
      (await acme.agent.post('/tasks', taskPayload({ app }, { name }))).body.taskId as string
    await mara.post(`/tasks/${await send('By Mara')}/reject`, { feedback: 'Not ours' })
    await acme.owner.post(`/tasks/${await send('Declined', 'books')}/handle`, {
      actionId: 'decline',
      data: { reason: 'The parcel is lost' },
    })
    await acme.owner.post(`/tasks/${await send('Approved')}/handle`, { actionId: 'approve' })
    await acme.agent.post(`/tasks/${await send('Withdrawn')}/cancel`, { reason: 'Solved by phone' })
  })

  async function open(path: string): Promise<Page> {
    const { page } = await visit(`/w/${acme.workspaceId}/${path}`)
    return page
  }
  const expectTasks = (page: Page, names: string[]) => expect.poll(() => taskNames(page)).toEqual(names)

  test('lists the newest answer first, shows answers by keyboard, and is filtered and searched; Back restores the previous filter', async () => {
    const page = await open('handled')
    await expectTasks(page, ['Approved', 'Declined', 'By Mara'])
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.getByRole('heading', { level: 1, name: 'Declined' }).waitFor()
    await page.getByRole('complementary', { name: 'Answer' }).getByText('The parcel is lost').waitFor()
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0)
    expect(await axeViolations(page)).toEqual([])

    await page.keyboard.press('f')
    await page.getByRole('menuitemradio', { name: 'shop' }).press('Enter')
    await expectTasks(page, ['Approved', 'By Mara'])
    await page.keyboard.press('f')
    await page.getByRole('menuitemradio', { name: 'Reject task' }).press('Enter')
    await expectTasks(page, ['By Mara'])
    await page.goBack()
    await expectTasks(page, ['Approved', 'By Mara'])
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await page.keyboard.press('/')
    await page.keyboard.type('declined')
    await expectTasks(page, ['Declined'])
    await page.keyboard.press('Escape')
    await page.keyboard.press('f')
    await page.getByRole('menuitemradio', { name: 'Cancelled' }).press('Enter')
    await expectTasks(page, ['Withdrawn'])
  })

  test('is searched and filtered by colleague and time together, by keyboard, and the link says it all', async () => {
    const { page, goAs } = await visit(`/w/${acme.workspaceId}/handled`)
    await expectTasks(page, ['Approved', 'Declined', 'By Mara'])
    await page.keyboard.press('/')
    await page.keyboard.type('parcel')
    await page.keyboard.press('ArrowDown')
    await page.getByRole('listbox', { name: 'Ended tasks, newest first' }).waitFor()
    await expectTasks(page, ['Approved', 'Declined', 'By Mara'])
    // Only people who have answered are listed.
    await page.keyboard.press('f')
    await page.getByRole('menuitemradio', { name: 'Mara' }).waitFor()
    expect(await page.getByRole('menuitemradio', { name: 'Idle' }).count()).toBe(0)
    await page.getByRole('menuitemradio', { name: 'Mara' }).press('Enter')
    await expectTasks(page, ['By Mara'])
    await page.keyboard.press('f')
    await page.getByRole('menuitemradio', { name: 'Today' }).press('Enter')
    await expectTasks(page, ['By Mara'])
    const address = new URL(page.url())
    expect(Object.fromEntries(address.searchParams)).toEqual({ q: 'parcel', by: mara.email, when: 'today' })

    await page.keyboard.press('/')
    await page.keyboard.type(' nonsuch')
    await page.getByRole('heading', { name: 'No matching tasks' }).waitFor()

    // Someone else who follows the link sees the same, although the filter is about themselves.
    await goAs(mara.cookie, address.pathname + address.search)
    await expectTasks(page, ['By Mara'])
    await page.getByRole('group', { name: 'Filters' }).getByText('Answered by me').waitFor()
  })

  test('shows my answers of today with one click, also from the empty inbox, which counts them', async () => {
    const page = await open('inbox')
    await page.getByText(/^3 answered today, 2 by you\. Median time to answer: \d+\ss\.$/).waitFor()
    await page.getByRole('link', { name: 'My answers today' }).click()
    await expectTasks(page, ['Approved', 'Declined'])
    await page.getByRole('button', { name: 'My answers today', pressed: true }).waitFor()
    await page.getByRole('button', { name: 'My answers today' }).click()
    await expectTasks(page, ['Approved', 'Declined', 'By Mara'])
  })
})

describe('an answer is shown in full', () => {
  const { service, acme, visit } = setUpBrowserTests()
  const answer = async (payload: object, body: object, by: Caller = acme.owner) => {
    const { taskId } = (await acme.agent.post('/tasks', payload)).body
    expect((await by.post(`/tasks/${taskId}/handle`, body)).status).toBe(200)
    return taskId as string
  }
  test('emails as emails, options by their labels, people by their names, the date once per group', async () => {
    const mara = await acme.person('member', 'Mara Lind')
    const schema = {
      type: 'object',
      properties: {
        mail: {
          type: 'object',
          title: 'Reply',
          properties: { subject: { type: 'string' }, body: { type: 'string' } },
        },
        reason: { type: 'string', title: 'Why', enum: ['late', 'lost'], enumNames: ['Too late', 'Lost it'] },
        tone: {
          oneOf: [
            { const: 'w', title: 'Warm' },
            { const: 'c', title: 'Cool' },
          ],
        },
        tags: { type: 'array', items: { enum: ['a', 'b'], enumNames: ['Alpha', 'Beta'] } },
        ship: { type: 'boolean', title: 'Ship now', enumNames: ['Go', 'Hold'] },
      },
    }
    const taskId = await answer(
      taskPayload({ actions: [{ id: 'send', title: 'Send it', schema }] }),
      {
        actionId: 'send',
        data: {
          mail: { subject: 'Your parcel', body: 'Hello Ana,\n\nit is on its way.' },
          reason: 'lost',
          tone: 'w',
          tags: ['b'],
          ship: false,
        },
      },
      mara,
    )
    const ids = [
      await answer(taskPayload(), { actionId: 'approve' }),
      await answer(taskPayload(), { actionId: 'approve' }),
    ]
    await asOwner(service.databaseUrl, (client) =>
      client.query("UPDATE tasks SET ended_at = ended_at - interval '50 hours' WHERE id = $1", [ids[0]]),
    )
    const { page } = await visit(`/w/${acme.workspaceId}/handled/${taskId}`)
    const result = page.getByRole('complementary', { name: 'Answer' })
    await result.locator('.email-mail').waitFor()
    await result.getByText(`Mara Lind (${mara.email})`).waitFor()
    const text = await result.innerText()
    expect(text).toMatch(/Reply\s+Subject\s+Your parcel\s+Hello Ana,\s+it is on its way\./)
    expect(text).toMatch(/Why\s+Lost it\s+Tone\s+Warm\s+Tags\s+Beta\s+Ship now\s+Hold/)
    expect(text).not.toMatch(/\\n|"|lost|false/)
    const row = page.getByRole('option', { selected: true })
    await expect.poll(() => row.locator('.rows-sub').innerText()).toContain('Send it · Mara Lind · ')

    // The date of a group is not repeated in its rows.
    for (const id of ids)
      expect(await page.locator(`#row-${id} .rows-age`).innerText()).toMatch(/^\d\d?:\d\d$/)
    await expect.poll(() => page.locator('#handled-tasks .rows-group').count()).toBe(2)
  })
})
