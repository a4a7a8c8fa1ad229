import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectAccessibleLayout } from '../../support/accessible-layout.ts'
import { createTasks, taskNames } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { taskPayload } from '../../support/service.ts'

describe('the inbox opens with the list that is meant for the person', () => {
  const { service, acme, visit, blankTab } = setUpBrowserTests({ freshWorkspace: true })
  const inbox = () => `/w/${acme.workspaceId}/inbox`
  const names = (page: Page) => expect.poll(() => taskNames(page))
  const tab = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name, exact: true })

  test('members of groups start with the tasks for them, and then with the list that they last chose', async () => {
    const [ana, ben] = [await acme.person('member', 'Ana'), await acme.person('member', 'Ben')]
    await acme.owner.post('/groups', { slug: 'finance', name: 'Finance', members: [ana.email] })
    await createTasks(acme, ['For everybody'])
    await acme.agent.post('/tasks', taskPayload({ assignTo: 'group:finance' }, { name: 'For finance' }))

    const { page } = await blankTab({ cookie: ana.cookie })
    // Any row of the other list, however briefly, is recorded.
    const recorder = await page.addInitScript(() => {
      const shown: string[] = []
      Object.assign(window, { shown })
      new MutationObserver(() => {
        for (const row of document.querySelectorAll('[role=option]')) shown.push(row.textContent ?? '')
      }).observe(document, { childList: true, subtree: true })
    })
    await page.goto(service.url)
    await names(page).toEqual(['For finance'])
    await tab(page, 'For me').and(page.locator('[aria-current=page]')).waitFor()
    const shown = await page.evaluate(() => (window as unknown as { shown: string[] }).shown)
    expect(shown.filter((text) => text.includes('For everybody'))).toEqual([])
    await recorder.dispose()

    await tab(page, 'All').click()
    await names(page).toEqual(['For everybody', 'For finance'])
    await page.goto(service.url + inbox())
    await names(page).toEqual(['For everybody', 'For finance'])
    await tab(page, 'For me').click()
    await names(page).toEqual(['For finance'])
    await page.goBack()
    await names(page).toEqual(['For everybody', 'For finance'])

    // Nobody has assigned anything to Ben.
    const other = (await visit(inbox(), { cookie: ben.cookie })).page
    await names(other).toEqual(['For everybody', 'For finance'])
    expect(new URL(other.url()).search).toBe('')

    // Ben works in that list by now, so it stays.
    await acme.agent.post('/tasks', taskPayload({ assignTo: ben.email }, { name: 'For Ben' }))
    await other.getByRole('button', { name: '1 new' }).click()
    await names(other).toEqual(['For everybody', 'For finance', 'For Ben'])
    expect(new URL(other.url()).search).toBe('')
  })

  test('if nothing is assigned to them, the list says so, and Enter shows the other tasks', async () => {
    const cem = await acme.person('member', 'Cem')
    await acme.owner.post('/groups', { slug: 'legal', name: 'Legal', members: [cem.email] })
    await createTasks(acme, ['First', 'Second'])
    const { page } = await visit(inbox(), { cookie: cem.cookie })
    await page.getByRole('heading', { name: 'No open tasks for you' }).waitFor()
    await page.getByText('2 tasks are open').waitFor()
    await expectAccessibleLayout(page)

    await page.keyboard.press('Enter')
    await names(page).toEqual(['First', 'Second'])
  })

  test('a person with an assigned task starts with it, without a group', async () => {
    const dee = await acme.person('member', 'Dee')
    await createTasks(acme, ['First'])
    await acme.agent.post('/tasks', taskPayload({ assignTo: dee.email }, { name: 'For Dee' }))
    const { page } = await visit(inbox(), { cookie: dee.cookie })
    await names(page).toEqual(['For Dee'])
    await tab(page, 'All').click()
    await names(page).toEqual(['First', 'For Dee'])
  })
})
