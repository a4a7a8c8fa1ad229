import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessibleAlsoOnPhones, expectAccessibleLayout } from '../../support/accessible-layout.ts'
import { signIn } from '../../support/browser-actions.ts'
import { setUpBrowserTests, signedOut } from '../../support/browser-tests.ts'
import { authorizationQuery, connectApp, exchange, register, statusWith } from '../../support/oauth.ts'
import { startReceiver } from '../../support/receiver.ts'
import { testPassword } from '../../support/service.ts'

describe('a person connects an app by signing in', () => {
  const { service, acme, visit, allowProblems } = setUpBrowserTests({
    workspaceName: 'Harbour Goods',
  })
  /** The app: a page of its own at the address that receives the code. */
  let app: Awaited<ReturnType<typeof startReceiver>>
  beforeAll(async () => {
    app = await startReceiver((_, response) => {
      response.setHeader('content-type', 'text/html')
      response.end('<title>App</title><h1>Back in the app</h1>')
    })
  })
  afterAll(() => app.stop())

  async function startConnecting(): Promise<{ clientId: string; path: string; redirectUri: string }> {
    const redirectUri = `${app.url}/callback`
    const client = await register(service.url, { client_name: 'Claude', redirect_uris: [redirectUri] })
    const clientId = client.body.client_id
    const query = authorizationQuery(clientId, { redirect_uri: redirectUri })
    return { clientId, path: `/authorize?${query}`, redirectUri }
  }

  test('signs in, sees who asks and what it may do, allows access, and disconnects it later', async () => {
    await acme.owner.patch('/connected-apps', { allowed: true, password: testPassword })
    await connectApp(service.url, acme, { person: await acme.person('member', 'Jonas Weber') })
    const { clientId, path, redirectUri } = await startConnecting()
    const visited = await visit(path, { ...signedOut, width: 1440, height: 1000 })
    // It leaves for the app's own page.
    allowProblems(visited)
    const { page } = visited
    await signIn(page, acme.ownerEmail)
    await page
      .getByRole('heading', { name: 'Claude wants to send tasks to people in your workspace' })
      .waitFor()
    await page.getByText(`It will receive access at ${new URL(app.url).host}`).waitFor()
    await page.getByText(`You're signed in as ${acme.ownerEmail}.`).waitFor()
    await page.getByText('Answer, approve or reject any task').waitFor()
    expect(await page.getByLabel('Harbour Goods').isChecked()).toBe(true)
    await expectAccessibleAlsoOnPhones(page)
    await page.getByRole('button', { name: 'Allow access' }).click()
    await page.getByRole('heading', { name: 'Back in the app' }).waitFor()
    const returned = new URL(page.url()).searchParams
    expect([returned.get('state'), returned.get('iss')]).toEqual(['some state', `${service.url}/api/auth`])
    const tokens = await exchange(service.url, clientId, returned.get('code')!, { redirect_uri: redirectUri })
    expect(tokens.status).toBe(200)

    await page.goto(`${service.url}/w/${acme.workspaceId}/settings/connected-apps`)
    const row = page.getByRole('list', { name: 'Yours' }).getByRole('listitem')
    await row.getByText('Claude', { exact: true }).waitFor()
    await page.getByText('Jonas Weber').first().waitFor()
    await expectAccessibleAlsoOnPhones(page)
    await page.getByRole('button', { name: 'Disconnect Claude' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
    await page.getByText("You haven't connected an app to this workspace.").waitFor()
    await expect.poll(() => statusWith(service.url, tokens.body.access_token)).toBe(401)
  })

  test('while the workspace does not allow apps, an admin declines, or is led to the setting and turns it on and off', async () => {
    await acme.owner.patch('/connected-apps', { allowed: false })
    const { path } = await startConnecting()
    const visited = await visit(path)
    allowProblems(visited)
    const { page } = visited
    await page.getByText("Your workspace doesn't allow connected apps.").waitFor()
    expect(await page.getByRole('button', { name: 'Allow access' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('heading', { name: 'Back in the app' }).waitFor()
    const returned = new URL(page.url()).searchParams
    expect([returned.get('error'), returned.get('code')]).toEqual(['access_denied', null])
    await page.goBack()
    await page.getByRole('link', { name: 'Harbour Goods' }).click()
    const allowed = page.getByRole('switch', { name: 'Allow members to connect apps' })
    await allowed.click()
    const dialog = page.getByRole('dialog', { name: 'Allow members to connect apps?' })
    await dialog.getByLabel('Your password').fill(testPassword)
    await dialog.getByRole('button', { name: 'Allow' }).click()
    await expect.poll(() => allowed.isChecked()).toBe(true)
    const { accessToken } = await connectApp(service.url, acme)
    await allowed.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop allowing' }).click()
    await expect.poll(() => allowed.isChecked()).toBe(false)
    await expect.poll(() => statusWith(service.url, accessToken)).toBe(401)
  })

  test('an invalid request leads nowhere, or only where it says and when the person presses the button', async () => {
    const { clientId, redirectUri } = await startConnecting()
    // With an address that the app did not register.
    const visited = await visit(`/authorize?${authorizationQuery(clientId)}`)
    allowProblems(visited)
    const { page, go } = visited
    await page.getByText('an address that it did not register').waitFor()
    expect(await page.getByRole('main').locator('a, button').count()).toBe(0)
    const query = authorizationQuery(clientId, { redirect_uri: redirectUri, code_challenge: undefined })
    await go(`/authorize?${query}`)
    await page.getByText('The app sent an invalid request').waitFor()
    await expectAccessibleLayout(page)
    expect(new URL(page.url()).origin).toBe(service.url)
    await page.getByRole('link', { name: 'Return to the app' }).click()
    await page.getByRole('heading', { name: 'Back in the app' }).waitFor()
    expect(new URL(page.url()).searchParams.get('error')).toBe('invalid_request')
  })
})
