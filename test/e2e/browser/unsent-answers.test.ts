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
    const click = unsent(at).getByRole('button', { name: 'Try now' }).click({ timeout: 5_000 })
    await Promise.race([click.catch(() => undefined), unsent(at).waitFor({ state: 'detached' })])
  }
  async function setCookie(cookie: string) {
    const [name, value] = cookie.split('; ')[0]!.split(/=(.*)/s) as [string, string]
    const { hostname } = new URL(page.url())
    await page.context().addCookies([{ name, value, domain: hostname, path: '/', httpOnly: true }])
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

  test('it is shown, survives a reload, can be undone, and is sent when the service is back, also if the response to it was lost', async () => {
    await openFirst(['First', 'Second', 'Third'])
    await blockAnswers(page)
    await decline('Too late')
    await taskIs('Second')
    await unsent().getByText("The service is unreachable. 1 answer hasn't been sent yet.").waitFor()
    await unsent()
      .getByText('It is saved in this browser and will be sent once the service is back.')
      .waitFor()
    await decline('Too expensive')
    await unsent().getByText("2 answers haven't been sent yet.").waitFor()
    // Only the answers themselves are left, no drafts.
    await page.evaluate(() => sessionStorage.clear())
    await page.reload()
    await unsent().getByRole('button', { name: 'Show' }).click()
    await expect.poll(namesInList).toEqual(['Third'])
    const lines = unsent().getByRole('listitem')
    await expect.poll(() => lines.nth(0).innerText()).toMatch(/First\s+Decline\s+Waiting to send\s+Undo/)
    await unsent().getByRole('button', { name: 'Undo: Second' }).click()
    await taskIs('Second')
    expect(await page.getByLabel('Why?').inputValue()).toBe('Too expensive')
    await expect.poll(namesInList).toEqual(['Second', 'Third'])
    await unsent().getByText("1 answer hasn't been sent yet.").waitFor()
    expect(await axeViolations(page)).toEqual([])
    expect(await handledOf(0)).toBeUndefined()

    // The next retry arrives, but its response is lost.
    const tryNow = unsent().locator('.unsent-strip-try')
    await page.route(sends, async (route) => {
      await route.fetch()
      await route.abort()
    })
    await tryNow.focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => handledOf(0)).toMatchObject({ actionId: 'decline', data: { reason: 'Too late' } })
    await expect.poll(() => tryNow.and(page.locator(':focus')).innerText()).toBe('Try now')
    await page.unroute(sends)
    await page.keyboard.press('Enter')
    await unsent().waitFor({ state: 'detached' })
    // The focus moves from the removed button to the list.
    await expect.poll(() => page.evaluate(() => document.activeElement?.role)).toBe('listbox')
  })

  test('it is never shown or sent to someone else who signs in, and is deleted on sign-out after a warning', async () => {
    const mara = await acme.person('member', 'Mara')
    await openFirst()
    // Mara has signed in with another tab, and the answer is the first request that notices.
    await page.getByRole('button', { name: 'Decline' }).first().click()
    await page.getByLabel('Why?').fill('Mine alone')
    const others = /\/api\/v1\/(?!tasks\/\w+\/handle$|setup$)/
    await page.route(others, (route) => route.abort())
    const refused = page.waitForResponse(sends)
    await setCookie(mara.cookie)
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
    expect(await handledOf(0)).toBeUndefined()
    await setCookie(acme.owner.cookie)
    await page.reload()
    await expect
      .poll(() => handledOf(0))
      .toMatchObject({ handledBy: acme.ownerEmail, data: { reason: 'Mine alone' } })

    await blockAnswers(page)
    await page.getByRole('option', { name: /Second/ }).click()
    await taskIs('Second')
    await decline('Too late')
    await unsent().waitFor()
    await expect.poll(storedAnswers).toBe(1)
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    const warning = page.getByRole('dialog', { name: 'Sign out and delete 1 unsent answer?' })
    await warning.getByRole('button', { name: 'Sign out and delete' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await expect.poll(storedAnswers).toBe(0)
    expect(await handledOf(1)).toBeUndefined()
  })

  test('of two tabs that answer the same task, the older answer is sent, also after its tab was closed; the other is listed with its text until it is dismissed', async () => {
    await openFirst()
    const context = page.context()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const other = await context.newPage()
    await other.goto(page.url())
    await taskIs('First', other)
    await blockAnswers(context)
    await decline('Older words')
    await unsent().getByText("1 answer hasn't been sent yet.").waitFor()
    await decline('Newer words', other)
    await unsent(other).getByText("1 answer hasn't been sent yet.").waitFor()
    // The older answer belongs to the first tab, also after a retry.
    await Promise.all([other.waitForRequest(sends), unsent(other).locator('.unsent-strip-try').click()])
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
    const conflict = unsent(other).getByText('Not sent: you answered it elsewhere with “Decline”, at')
    await conflict.waitFor()
    await unsent(other).getByRole('button', { name: 'Copy answer' }).click()
    await expect.poll(() => other.evaluate(() => navigator.clipboard.readText())).toBe('Newer words')
    expect(await handledOf(0)).toMatchObject({ data: { reason: 'Older words' } })
    // Each is sent once. The page may be told before the browser reports the response.
    await expect.poll(() => statuses).toEqual([200, 409])
    await other.reload()
    await conflict.waitFor()
    await unsent(other).getByRole('button', { name: 'Dismiss' }).click()
    await unsent(other).waitFor({ state: 'detached' })
  })
})
