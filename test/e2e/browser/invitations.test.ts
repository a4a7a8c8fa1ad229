import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { setUpBrowserTests, signedOut } from '../../support/browser-tests.ts'
import { asOwner } from '../../support/rows.ts'
import { type TestWorkspace, taskPayload } from '../../support/service.ts'

const email = 'jo@shop.example'
const password = 'a password of their own'

describe('people join by invitation', () => {
  const { service, acme: first, visit, blankTab } = setUpBrowserTests({ workspaceName: 'First workspace' })
  let second: TestWorkspace
  beforeAll(async () => {
    second = await service.workspace('Second workspace')
  })

  async function join(page: Page, link: string, secret = password) {
    await page.goto(link)
    await page.getByLabel('Your name').fill('Jo')
    await page.getByLabel('Password').fill(secret)
    await page.getByRole('button', { name: 'Join' }).click()
  }

  async function invitationTo({ owner }: TestWorkspace): Promise<string> {
    return (await owner.post('/invitations', { email, role: 'member' })).body.link
  }

  test('the link creates an account, joins the workspace and opens the inbox; it works once', async () => {
    const link = await invitationTo(first)
    const { page } = await blankTab(signedOut)
    await join(page, link)
    await page.getByRole('heading', { name: 'No open tasks' }).waitFor()
    expect(page.url()).toBe(`${service.url}/w/${first.workspaceId}/inbox`)
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor()
    expect(await page.getByRole('textbox').count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Sign in' }).count()).toBe(1)
  })

  test('the page names inviter, workspace, address, role and expiry before it asks for anything', async () => {
    const invited = (await first.owner.post('/invitations', { email: 'ana@shop.example', role: 'admin' }))
      .body
    const { page } = await blankTab(signedOut)
    await page.goto(invited.link)
    await page.getByRole('heading', { name: 'Olga Owner invited you to First workspace' }).waitFor()
    const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' })
    expect(await page.locator('.join-form-invitee').innerText()).toMatch(
      new RegExp(
        `ana@shop\\.example\\s+You'll join as an admin. The invitation expires on ${day.format(new Date(invited.expiresAt))}`,
      ),
    )
    // Withdrawn while the page is open: an explanation replaces the form.
    await first.owner.delete(`/invitations/${invited.invitationId}`)
    await page.getByLabel('Your name').fill('Ana')
    await page.getByLabel('Password').fill(password)
    await page.getByRole('button', { name: 'Join' }).click()
    await page.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor()
    expect(await page.getByRole('textbox').count()).toBe(0)
  })

  test('an expired invitation shows whom to ask instead of a form', async () => {
    const { link, invitationId } = (await first.owner.post('/invitations', { email: 'old@shop.example' }))
      .body
    await asOwner(service.databaseUrl, (client) =>
      client.query("UPDATE invitations SET expires_at = now() - interval '1 hour' WHERE id = $1", [
        invitationId,
      ]),
    )
    const { page } = await blankTab(signedOut)
    await page.goto(link)
    await page.getByRole('heading', { name: 'This invitation has expired' }).waitFor()
    await page
      .getByText(/Olga Owner invited you to First workspace on .+ Ask Olga Owner for a new invitation/)
      .waitFor()
    expect(await page.getByRole('button').allInnerTexts()).toEqual(['Copy a message to send'])
    expect(await page.getByRole('textbox').count()).toBe(0)
  })

  test('names cannot change the reading direction of the page', async () => {
    const bidi = await service.workspace('Shop \u202e001')
    const { link } = (await bidi.owner.post('/invitations', { email: 'ida@shop.example' })).body
    const { page } = await blankTab(signedOut)
    await page.goto(link)
    await page.getByRole('heading', { name: 'Olga Owner invited you to Shop [RLO]001' }).waitFor()
    expect(await page.title()).not.toContain('\u202e')
  })

  test('a used setup link shows a link to sign in instead of a form', async () => {
    const { page } = await visit('/setup#any-token', signedOut)
    await page.getByRole('heading', { name: 'Handrail is already set up' }).waitFor()
    await page.getByText('The setup link no longer works.').waitFor()
    expect(await page.getByRole('textbox').count()).toBe(0)
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  test('a second workspace appears in the switcher, and each shows its own tasks', async () => {
    await first.agent.post('/tasks', taskPayload({}, { name: 'Of the first' }))
    await second.agent.post('/tasks', taskPayload({}, { name: 'Of the second' }))
    const link = await invitationTo(second)
    const { page } = await blankTab(signedOut)
    await join(page, link, 'not their password')
    await page.getByText('You have an account with this address. Enter its password to join.').waitFor()
    await join(page, link)
    await page.getByRole('option', { name: /Of the second/ }).waitFor()

    await page.getByRole('button', { name: 'Workspace: Second workspace' }).click()
    const switcher = page.getByRole('menu')
    await switcher.waitFor()
    expect(await switcher.locator('bdi').allInnerTexts()).toEqual(['First workspace', 'Second workspace'])
    await switcher.getByRole('menuitemradio', { name: /First workspace/ }).click()
    await page.getByRole('option', { name: /Of the first/ }).waitFor()
    expect(await page.getByRole('option', { name: /Of the second/ }).count()).toBe(0)
    expect(page.url()).toBe(`${service.url}/w/${first.workspaceId}/inbox`)

    await page.goto(service.url)
    await page.getByRole('option', { name: /Of the first/ }).waitFor()
  })

  test('an incomplete link is explained, and a complete one can be pasted into the same tab', async () => {
    const { page } = await visit('/invitation', signedOut)
    await page.getByRole('heading', { name: 'This link is incomplete' }).waitFor()
    const { link } = (await first.owner.post('/invitations', { email: 'pia@shop.example' })).body
    await page.goto(`${link.split('#')[0]}#invalid`)
    await page.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor()
    await page.goto(link)
    await page.getByRole('heading', { name: 'Olga Owner invited you to First workspace' }).waitFor()
  })
})
