import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { axeViolations, type Visitor } from '../../support/browser.ts'
import { createTasks, signIn, taskNames, waitForTask } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'

const sends = /\/api\/v1\/tasks\/\w+\/(handle|mark-done|reject)$/

describe('an unsent answer is stored in the browser', () => {
  const { acme, visit, allowProblems } = setUpBrowserTests({ freshWorkspace: true })
  let page: Page
  let ids: string[]

  /** Opens the first of two tasks. Without undo, answers are sent immediately. */
  async function openFirst(visitor: Visitor = {}) {
    ids = await createTasks(acme, ['First', 'Second'])
    const visited = await visit(`/w/${acme.workspaceId}/inbox/${ids[0]}`, visitor)
    // These tests make requests fail.
    allowProblems(visited)
    page = visited.page
    await taskIs('First')
  }

  const taskIs = (name: string, at = page) => waitForTask(at, name)

  async function decline(reason: string, at = page) {
    await at.getByRole('button', { name: 'Decline' }).first().click()
    await at.getByLabel('Why?').fill(reason)
    await at.keyboard.press('Control+Enter')
  }

  const unsent = (at = page) => at.getByRole('region', { name: 'Unsent answers' })
  const blockAnswers = (context: BrowserContext | Page) => context.route(sends, (route) => route.abort())
  /** Lets answers through and retries now, unless the page has done so itself. */
  async function unblockAnswers(context: BrowserContext | Page, at = page) {
    await context.unroute(sends)
    await tryNow(at)
  }
  async function tryNow(at: Page) {
    const click = unsent(at).getByRole('button', { name: 'Try now' }).click({ timeout: 5_000 })
    await Promise.race([click.catch(() => undefined), unsent(at).waitFor({ state: 'detached' })])
  }
  const handledOf = async (n: number) => (await acme.agent.get(`/tasks/${ids[n]}`)).body.handled
  const namesInList = () => taskNames(page)

  /** The number of answers in the browser's storage. */
  const storedAnswers = () =>
    page.evaluate(
      () =>
        new Promise<number>((resolve, reject) => {
          const opening = indexedDB.open('handrail')
          opening.onerror = () => reject(opening.error)
          opening.onsuccess = () => {
            const counting = opening.result.transaction('answers').objectStore('answers').count()
            counting.onsuccess = () => {
              opening.result.close()
              resolve(counting.result)
            }
          }
        }),
    )

  test('it is shown, survives a reload, and is sent once when the service is back', async () => {
    await openFirst()
    await blockAnswers(page)
    await decline('Too late')
    await taskIs('Second')
    await unsent().getByText("The service is unreachable. 1 answer hasn't been sent yet.").waitFor()
    await unsent()
      .getByText('It is saved in this browser and will be sent once the service is back.')
      .waitFor()
    await page.reload()
    await unsent().getByText("1 answer hasn't been sent yet.").waitFor()
    await expect.poll(namesInList).toEqual(['Second'])
    await unsent().getByRole('button', { name: 'Show' }).click()
    await expect
      .poll(() => unsent().getByRole('listitem').innerText())
      .toMatch(/First\s+Decline\s+Waiting to send\s+Undo/)
    expect(await axeViolations(page)).toEqual([])
    expect(await handledOf(0)).toBeUndefined()
    await unblockAnswers(page)
    await expect.poll(() => handledOf(0)).toMatchObject({ actionId: 'decline', data: { reason: 'Too late' } })
    await unsent().waitFor({ state: 'detached' })
  })

  test('an answer that arrived without a response counts as sent', async () => {
    await openFirst()
    let lost = 0
    await page.route(sends, async (route) => {
      lost += 1
      await route.fetch()
      await route.abort()
    })
    await decline('Too late')
    await unsent().getByText("1 answer hasn't been sent yet.").waitFor()
    expect(lost).toBeGreaterThan(0)
    await unblockAnswers(page)
    await unsent().waitFor({ state: 'detached' })
    expect(await handledOf(0)).toMatchObject({ actionId: 'decline', data: { reason: 'Too late' } })
  })

  test('if another person was first, it shows who, when and with what, and keeps the text', async () => {
    const mara = await acme.person('member', 'Mara')
    await openFirst()
    await blockAnswers(page)
    await decline('My reasons')
    await unsent().getByText("1 answer hasn't been sent yet.").waitFor()
    await mara.post(`/tasks/${ids[0]}/handle`, { actionId: 'approve' })
    await unblockAnswers(page)
    await unsent().getByText('Not sent: Mara answered first with “Approve”, at').waitFor()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await unsent().getByRole('button', { name: 'Copy answer' }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('My reasons')
    // It is shown until it is dismissed.
    await page.goto(page.url().replace(/inbox.*/, `inbox/${ids[0]}`))
    await unsent().getByText('answered first').waitFor()
    await unsent().getByRole('button', { name: 'Dismiss' }).click()
    await unsent().waitFor({ state: 'detached' })
    const notice = page.locator('.strip', { hasText: 'answered “Approve”' })
    await notice.getByText('You can copy your draft.').waitFor()
    await notice.getByRole('button', { name: 'Copy draft' }).waitFor()
    const { drafts } = (await acme.owner.get(`/tasks/${ids[0]}/drafts`)).body
    expect(drafts).toMatchObject([{ data: { reason: 'My reasons' } }])
    await expect.poll(namesInList).toEqual(['Second'])
  })

  test('an undone answer becomes a draft again', async () => {
    await openFirst()
    await blockAnswers(page)
    await decline('Too late')
    await taskIs('Second')
    await page.evaluate(() => sessionStorage.clear())
    await page.reload()
    await unsent().getByRole('button', { name: 'Show' }).click()
    await unsent().getByRole('button', { name: 'Undo' }).click()
    await taskIs('First')
    expect(await page.getByLabel('Why?').inputValue()).toBe('Too late')
    await expect.poll(namesInList).toEqual(['First', 'Second'])
    expect(await unsent().count()).toBe(0)
  })

  test('after the session has ended it is kept for the same person only', async () => {
    const mara = await acme.person('member', 'Mara')
    await openFirst()
    await page.getByRole('button', { name: 'Decline' }).first().click()
    await page.getByLabel('Why?').waitFor()
    await page.getByLabel('Why?').fill('Mine alone')
    // The answer is the first request that notices.
    const others = /\/api\/v1\/(?!tasks\/\w+\/handle$)/
    await page.route(others, (route) => route.abort())
    const refused = page.waitForResponse(sends)
    await page.context().clearCookies()
    await page.keyboard.press('Control+Enter')
    await refused
    await page.unroute(others)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await signIn(page, mara.email)
    await page.getByRole('option', { name: /First/ }).waitFor()
    expect(await unsent().count()).toBe(0)
    // A new page takes over the answers of closed tabs, but not those of other people.
    await page.reload()
    await page.getByRole('option', { name: /First/ }).waitFor()
    expect(await unsent().count()).toBe(0)
    expect(await handledOf(0)).toBeUndefined()
    await page.context().clearCookies()
    await page.goto(page.url())
    await signIn(page, acme.ownerEmail)
    await expect
      .poll(() => handledOf(0))
      .toMatchObject({ handledBy: acme.ownerEmail, data: { reason: 'Mine alone' } })
  })

  test('it is not sent as someone else who has signed in with another tab', async () => {
    const mara = await acme.person('member', 'Mara')
    await openFirst({ undoSeconds: 60 })
    const context = page.context()
    await decline('Mine alone')
    await taskIs('Second')
    const [name, value] = mara.cookie.split('; ')[0]!.split(/=(.*)/s) as [string, string]
    const { hostname } = new URL(page.url())
    await context.addCookies([{ name, value, domain: hostname, path: '/', httpOnly: true }])
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await handledOf(0)).toBeUndefined()
  })

  test('two tabs send it once, and the second takes over after the first has closed', async () => {
    await openFirst()
    const context = page.context()
    await blockAnswers(context)
    await decline('Too late')
    await unsent().getByText("1 answer hasn't been sent yet.").waitFor()
    const other = await context.newPage()
    await other.goto(page.url())
    await other.getByRole('heading', { level: 1, name: 'Second' }).waitFor()
    // The answer belongs to the first tab.
    expect(await other.getByRole('region', { name: 'Unsent answers' }).count()).toBe(0)
    await page.goto('about:blank')
    await other.reload()
    await other.getByRole('region', { name: 'Unsent answers' }).waitFor()
    const arrived: string[] = []
    context.on('response', (response) => {
      if (sends.test(response.url())) arrived.push(response.url())
    })
    await unblockAnswers(context, other)
    await expect.poll(() => handledOf(0)).toMatchObject({ actionId: 'decline' })
    await other.getByRole('region', { name: 'Unsent answers' }).waitFor({ state: 'detached' })
    // The page may be told before the browser reports the response.
    await expect.poll(() => arrived.length).toBe(1)
  })

  /** Declines the first task in two tabs. */
  async function declineInTwoTabs() {
    await openFirst()
    const context = page.context()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const other = await context.newPage()
    await other.goto(page.url())
    await taskIs('First', other)
    await blockAnswers(context)
    await decline('Words of the first tab')
    await unsent().getByText("1 answer hasn't been sent yet.").waitFor()
    await decline('Words of the second tab', other)
    await unsent(other).getByText("1 answer hasn't been sent yet.").waitFor()
    return { context, other }
  }

  async function expectConflict(words: string, at: Page) {
    await unsent(at).getByText('Not sent: you answered it elsewhere with “Decline”, at').waitFor()
    await at.bringToFront()
    await unsent(at).getByRole('button', { name: 'Copy answer' }).click()
    await expect.poll(() => at.evaluate(() => navigator.clipboard.readText())).toBe(words)
  }

  test('of two tabs that answer the same task, one is sent and the other shows the conflict with its text', async () => {
    const { context, other } = await declineInTwoTabs()
    await context.unroute(sends)
    // The first to arrive is accepted.
    await expect.poll(() => handledOf(0)).toBeDefined()
    const isFirst = (await handledOf(0)).data.reason === 'Words of the first tab'
    const [sent, lost] = isFirst ? [page, other] : [other, page]
    await unsent(sent).waitFor({ state: 'detached' })
    await tryNow(lost)
    await expectConflict(isFirst ? 'Words of the second tab' : 'Words of the first tab', lost)
  })

  test('the remaining tab takes over the answer of a closed one, sends the older and keeps both texts', async () => {
    const { context, other } = await declineInTwoTabs()
    await page.goto('about:blank')
    await expect
      .poll(async () => {
        await unsent(other).locator('.unsent-strip-try').click()
        return await unsent(other).getByText("2 answers haven't been sent yet.").count()
      })
      .toBe(1)
    await unblockAnswers(context, other)
    await expectConflict('Words of the second tab', other)
    expect(await handledOf(0)).toMatchObject({ data: { reason: 'Words of the first tab' } })
  })

  test('a retry leaves the list of unsent answers in place, with the focus, and is not announced again', async () => {
    await openFirst()
    await blockAnswers(page)
    await decline('Too late')
    await unsent().getByRole('button', { name: 'Show' }).click()
    const announced = await unsent().evaluateHandle((section) => {
      const changes: string[] = []
      const status = section.querySelector('[role=status]')!
      const observer = new MutationObserver(() => changes.push(status.textContent))
      observer.observe(status, { childList: true, characterData: true, subtree: true })
      return { changes, section }
    })
    let fail = () => {}
    await page.unroute(sends)
    await page.route(sends, async (route) => {
      await new Promise<void>((resolve) => {
        fail = resolve
      })
      await route.abort()
    })
    await unsent().locator('.unsent-strip-try').focus()
    await page.keyboard.press('Enter')
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await expect.poll(focused).toBe('Sending…')
    const line = unsent().getByRole('listitem')
    await expect.poll(() => line.innerText()).toMatch(/First\s+Decline\s+Sending…\s+Undo/)
    await line.getByRole('button', { name: 'Undo', disabled: true }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    fail()
    await expect.poll(focused).toBe('Try now')
    expect(
      await announced.evaluate(({ changes, section }) => ({ changes, isInPlace: section.isConnected })),
    ).toEqual({ changes: [], isInPlace: true })
    await page.unroute(sends)
    await page.keyboard.press('Enter')
    await unsent().waitFor({ state: 'detached' })
    // The focus moves from the removed button to the list.
    await expect.poll(() => page.evaluate(() => document.activeElement?.role)).toBe('listbox')
    await expect.poll(() => handledOf(0)).toMatchObject({ actionId: 'decline' })
  })

  test('signing out warns about unsent answers and then deletes them from the browser', async () => {
    await openFirst()
    await blockAnswers(page)
    await decline('Too late')
    await unsent().waitFor()
    await expect.poll(storedAnswers).toBe(1)
    const menu = page.getByRole('button', { name: /^Account/ })
    await menu.click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    const warning = page.getByRole('dialog', { name: 'Sign out and delete 1 unsent answer?' })
    await warning.getByRole('button', { name: 'Stay signed in' }).click()
    await unsent().waitFor()
    await menu.click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await warning.getByRole('button', { name: 'Sign out and delete' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await expect.poll(storedAnswers).toBe(0)
    await unblockAnswers(page)
    await signIn(page, acme.ownerEmail)
    await page.getByRole('option', { name: /First/ }).waitFor()
    expect(await unsent().count()).toBe(0)
    expect(await handledOf(0)).toBeUndefined()
  })

  test('without browser storage, the page says that the answer is only in this tab', async () => {
    await openFirst()
    const address = page.url()
    // In a page of its own, because the script cannot be removed from a page that other tests
    // reuse.
    page = await page.context().newPage()
    await page.addInitScript(() => {
      Object.defineProperty(window, 'indexedDB', { get: () => undefined })
    })
    await page.goto(address)
    await taskIs('First')
    await blockAnswers(page)
    await decline('Too late')
    await unsent().getByText('It is saved only in this tab. Keep it open until it is sent.').waitFor()
    await unblockAnswers(page)
    await expect.poll(() => handledOf(0)).toMatchObject({ actionId: 'decline' })
  })
})
