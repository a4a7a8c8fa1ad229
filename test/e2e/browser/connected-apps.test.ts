import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAccessibleLayout } from '../../support/accessible-layout.ts'
import { signIn } from '../../support/browser-actions.ts'
import { setUpBrowserTests, signedOut } from '../../support/browser-tests.ts'
import { authorizationQuery, connectApp, exchange, register, statusWith } from '../../support/oauth.ts'
import { startReceiver } from '../../support/receiver.ts'
import { testPassword } from '../../support/service.ts'

describe('a person connects an app by signing in', () => {
  const { service, acme, blankTab, visit, allowProblems } = setUpBrowserTests({
    workspaceName: 'Harbour Goods',
  })
  /** The app: a page of its own, with the address that receives the code. */
  let app: Awaited<ReturnType<typeof startReceiver>>
  beforeAll(async () => {
    app = await startReceiver(({ path }, response) => {
      const { pathname, searchParams } = new URL(path, 'http://app')
      const framed = searchParams.get('frame')
      response.setHeader('content-type', 'text/html')
      response.end(
        pathname === '/callback'
          ? '<title>App</title><h1>Back in the app</h1>'
          : `<title>App</title><iframe src="${framed?.replaceAll('&', '&amp;')}"></iframe>`,
      )
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
    await expectAccessibleLayout(page)
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
    await expectAccessibleLayout(page)
    await page.getByRole('button', { name: 'Disconnect Claude' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
    await page.getByText("You haven't connected an app to this workspace.").waitFor()
    await expect.poll(() => statusWith(service.url, tokens.body.access_token)).toBe(401)
  })

  test('declines and returns to the app without a code; a failure is reported, also while no workspace allows apps', async () => {
    const { path } = await startConnecting()
    for (const allowed of [true, false]) {
      await acme.owner.patch('/connected-apps', { allowed, password: testPassword })
      const visited = await visit(path)
      allowProblems(visited)
      const { page } = visited
      await page.route('**/authorizations', (route) => route.abort())
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByText("The request wasn't completed.").waitFor()
      await page.unroute('**/authorizations')
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('heading', { name: 'Back in the app' }).waitFor()
      const returned = new URL(page.url()).searchParams
      expect([returned.get('error'), returned.get('code')]).toEqual(['access_denied', null])
    }
  })

  test('an admin is led to the setting while the workspace does not allow apps, and turns it on and off', async () => {
    await acme.owner.patch('/connected-apps', { allowed: false })
    const { path } = await startConnecting()
    const { page } = await visit(path)
    await page.getByText("Your workspace doesn't allow connected apps.").waitFor()
    expect(await page.getByRole('button', { name: 'Allow access' }).count()).toBe(0)
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

  test('a link with an address that the app did not register explains itself and leads nowhere', async () => {
    const { clientId } = await startConnecting()
    const opened = await visit(`/authorize?${authorizationQuery(clientId)}`)
    allowProblems(opened)
    await opened.page.getByRole('heading', { name: "This app can't be connected" }).waitFor()
    await opened.page.getByText('an address that it did not register').waitFor()
    expect(new URL(opened.page.url()).origin).toBe(service.url)
  })

  test('an invalid request says where it leads, and leads there only when the person presses the button', async () => {
    const { clientId, redirectUri } = await startConnecting()
    const query = authorizationQuery(clientId, { redirect_uri: redirectUri, code_challenge: undefined })
    const visited = await visit(`/authorize?${query}`)
    allowProblems(visited)
    const { page } = visited
    await page.getByRole('heading', { name: "This app can't be connected" }).waitFor()
    await expectAccessibleLayout(page)
    expect(new URL(page.url()).origin).toBe(service.url)
    await page.getByRole('link', { name: 'Return to the app' }).click()
    await page.getByRole('heading', { name: 'Back in the app' }).waitFor()
    expect(new URL(page.url()).searchParams.get('error')).toBe('invalid_request')
  })

  test('another site cannot show the consent page in a frame', async () => {
    await acme.owner.patch('/connected-apps', { allowed: true, password: testPassword })
    const { path } = await startConnecting()
    const visited = await blankTab()
    allowProblems(visited)
    const { page } = visited
    await page.goto(`${app.url}/?frame=${encodeURIComponent(service.url + path)}`)
    await expect.poll(() => page.frames().length).toBe(2)
    const frame = page.frames()[1]!
    await expect.poll(() => frame.url()).toMatch(/^chrome-error:/)
    expect(await frame.getByRole('button').count()).toBe(0)
  })

  test('consent and connected apps are accessible on a phone', async () => {
    await acme.owner.patch('/connected-apps', { allowed: true, password: testPassword })
    await connectApp(service.url, acme)
    await connectApp(service.url, acme, { person: await acme.person('member', 'Jonas Weber') })
    const { path } = await startConnecting()
    const { page } = await visit(path, { width: 390, height: 844 })
    await page.getByRole('button', { name: 'Allow access' }).waitFor()
    await expectAccessibleLayout(page)
    await page.goto(`${service.url}/w/${acme.workspaceId}/settings/connected-apps`)
    await page.getByText('Jonas Weber').first().waitFor()
    await expectAccessibleLayout(page)
  })
})
