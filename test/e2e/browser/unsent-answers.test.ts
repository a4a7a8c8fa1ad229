import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { axeViolations } from '../../support/browser.ts'
import { createTasks, signIn, taskNames, waitForTask } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'

const sends = /\/api\/v1\/tasks\/\w+\/(handle|mark-done|reject)$/

describe('an unsent answer is stored in the browser', () => {
  const { acme, visit, allowProblems } = setUpBrowserTests({ freshWorkspace: true })
  let page: Page
  let ids: string[]

  /** Creates the tasks and opens the first. Without undo, answers are sent immediately. */
  async function openFirst(names = ['First', 'Second']) {
    ids = await createTasks(acme, names)
    const visited = await visit(`/w/${acme.workspaceId}/inbox/${ids[0]}`)
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

  /** Records the changes of the sentence that screen readers announce. */
  const observeStatus = () =>
    unsent().evaluateHandle((section) => {
      const changes: string[] = []
      const status = section.querySelector('[role=status]')!
      const observer = new MutationObserver(() => changes.push(status.textContent))
      observer.observe(status, { childList: true, characterData: true, subtree: true })
      return { changes, section }
    })

  async function expectConflict(words: string, at: Page) {
    await unsent(at).getByText('Not sent: you answered it elsewhere with “Decline”, at').waitFor()
    await at.bringToFront()
    await unsent(at).getByRole('button', { name: 'Copy answer' }).click()
    await expect.poll(() => at.evaluate(() => navigator.clipboard.readText())).toBe(words)
  }

  test('it is shown, survives a reload, and is sent when the service is back, also if the response to it was lost', async () => {
    await openFirst(['First', 'Second', 'Third'])
    await blockAnswers(page)
    await decline('Too late')
    await taskIs('Second')
    await unsent().getByText("The service is unreachable. 1 answer hasn't been sent yet.").waitFor()
    await unsent()
      .getByText('It is saved in this browser and will be sent once the service is back.')
      .waitFor()
    await page.reload()
    await unsent().getByText("1 answer hasn't been sent yet.").waitFor()
    await expect.poll(namesInList).toEqual(['Second', 'Third'])
    await unsent().getByRole('button', { name: 'Show' }).click()
    const lines = unsent().getByRole('listitem')
    await expect.poll(() => lines.innerText()).toMatch(/First\s+Decline\s+Waiting to send\s+Undo/)
    expect(await handledOf(0)).toBeUndefined()

    // The next retry arrives, but its response is lost.
    await taskIs('Second')
    await decline('Too expensive')
    await unsent().getByText("2 answers haven't been sent yet.").waitFor()
    const announced = await observeStatus()
    let loseResponse = () => {}
    await page.unroute(sends)
    await page.route(sends, async (route) => {
      await new Promise<void>((resolve) => {
        loseResponse = resolve
      })
      await route.fetch()
      await route.abort()
    })
    await unsent().locator('.unsent-strip-try').focus()
    await page.keyboard.press('Enter')
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await expect.poll(focused).toBe('Sending…')
    await expect.poll(() => lines.nth(0).innerText()).toMatch(/First\s+Decline\s+Sending…\s+Undo/)
    await lines.nth(0).getByRole('button', { name: 'Undo', disabled: true }).waitFor()
    expect(await lines.nth(1).innerText()).toMatch(/Second\s+Decline\s+Waiting to send\s+Undo/)
    expect(await axeViolations(page)).toEqual([])

    // A failed retry leaves the list in place, with the focus, and is not announced again.
    loseResponse()
    await expect.poll(focused).toBe('Try now')
    expect(
      await announced.evaluate(({ changes, section }) => ({ changes, isInPlace: section.isConnected })),
    ).toEqual({ changes: [], isInPlace: true })
    expect(await handledOf(0)).toMatchObject({ actionId: 'decline', data: { reason: 'Too late' } })
    expect(await handledOf(1)).toBeUndefined()
    await page.unroute(sends)
    await page.keyboard.press('Enter')
    await unsent().waitFor({ state: 'detached' })
    // The focus moves from the removed button to the list.
    await expect.poll(() => page.evaluate(() => document.activeElement?.role)).toBe('listbox')
    await expect
      .poll(() => handledOf(1))
      .toMatchObject({ actionId: 'decline', data: { reason: 'Too expensive' } })
  })

  test('an undone one becomes a draft again; if another person was first, it shows who, when and with what, and keeps the text', async () => {
    const mara = await acme.person('member', 'Mara')
    await openFirst()
    await blockAnswers(page)
    await decline('My reasons')
    await taskIs('Second')
    await decline('Too late')
    await unsent().getByText("2 answers haven't been sent yet.").waitFor()
    await page.evaluate(() => sessionStorage.clear())
    await page.reload()
    await unsent().getByRole('button', { name: 'Show' }).click()
    await unsent().getByRole('button', { name: 'Undo: Second' }).click()
    await taskIs('Second')
    expect(await page.getByLabel('Why?').inputValue()).toBe('Too late')
    await expect.poll(namesInList).toEqual(['Second'])
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

  test('it is deleted on sign-out after a warning, and is never shown or sent to someone else who signs in', async () => {
    const mara = await acme.person('member', 'Mara')
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
    await page.unroute(sends)
    await signIn(page, acme.ownerEmail)
    await page.getByRole('option', { name: /First/ }).waitFor()
    expect(await unsent().count()).toBe(0)
    expect(await handledOf(0)).toBeUndefined()

    // Mara has signed in with another tab, and the answer is the first request that notices.
    await page.getByRole('option', { name: /Second/ }).click()
    await taskIs('Second')
    await page.getByRole('button', { name: 'Decline' }).first().click()
    await page.getByLabel('Why?').fill('Mine alone')
    const others = /\/api\/v1\/(?!tasks\/\w+\/handle$)/
    await page.route(others, (route) => route.abort())
    const refused = page.waitForResponse(sends)
    const [name, value] = mara.cookie.split('; ')[0]!.split(/=(.*)/s) as [string, string]
    const { hostname } = new URL(page.url())
    await page.context().addCookies([{ name, value, domain: hostname, path: '/', httpOnly: true }])
    await page.keyboard.press('Control+Enter')
    expect((await refused).status()).toBe(401)
    await page.unroute(others)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await signIn(page, mara.email)
    await page.getByRole('option', { name: /First/ }).waitFor()
    expect(await unsent().count()).toBe(0)
    // A new page takes over the answers of closed tabs, but not those of other people.
    await page.reload()
    await page.getByRole('option', { name: /First/ }).waitFor()
    expect(await unsent().count()).toBe(0)
    expect(await handledOf(1)).toBeUndefined()
    await page.context().clearCookies()
    await page.goto(page.url())
    await signIn(page, acme.ownerEmail)
    await expect
      .poll(() => handledOf(1))
      .toMatchObject({ handledBy: acme.ownerEmail, data: { reason: 'Mine alone' } })
  })

  test('of two tabs that answer the same task, one is sent, and a tab takes over the answer of a closed one; both texts are kept', async () => {
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
    // The other answer belongs to the first tab, also after a retry.
    await Promise.all([other.waitForRequest(sends), unsent(other).locator('.unsent-strip-try').click()])
    await unsent(other).getByText("1 answer hasn't been sent yet.").waitFor()
    await context.unroute(sends)
    // The first to arrive is accepted.
    await expect.poll(() => handledOf(0)).toBeDefined()
    const isFirst = (await handledOf(0)).data.reason === 'Words of the first tab'
    const [sent, lost] = isFirst ? [page, other] : [other, page]
    await unsent(sent).waitFor({ state: 'detached' })
    await tryNow(lost)
    await expectConflict(isFirst ? 'Words of the second tab' : 'Words of the first tab', lost)
    await unsent(lost).getByRole('button', { name: 'Dismiss' }).click()

    await blockAnswers(context)
    await taskIs('Second')
    await decline('Older words')
    await unsent().getByText("1 answer hasn't been sent yet.").waitFor()
    await taskIs('Second', other)
    await decline('Newer words', other)
    await unsent(other).getByText("1 answer hasn't been sent yet.").waitFor()
    await page.goto('about:blank')
    await expect
      .poll(async () => {
        await unsent(other).locator('.unsent-strip-try').click()
        return await unsent(other).getByText("2 answers haven't been sent yet.").count()
      })
      .toBe(1)
    const statuses: number[] = []
    context.on('response', (response) => {
      if (sends.test(response.url())) statuses.push(response.status())
    })
    await unblockAnswers(context, other)
    await expectConflict('Newer words', other)
    expect(await handledOf(1)).toMatchObject({ data: { reason: 'Older words' } })
    // Each is sent once. The page may be told before the browser reports the response.
    await expect.poll(() => statuses).toEqual([200, 409])
  })
})
