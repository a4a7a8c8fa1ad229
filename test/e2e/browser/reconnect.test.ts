import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startBrowser, type TestBrowser, type Visit } from '../../support/browser.ts'
import { createTask, taskNames } from '../../support/browser-actions.ts'
import { agentAt, personAt } from '../../support/nodes.ts'
import {
  createDatabase,
  startService,
  type TestService,
  type TestWorkspace,
  taskPayload,
} from '../../support/service.ts'

describe('an open page survives a restart of the service', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>
  let service: TestService
  let acme: TestWorkspace
  let browser: TestBrowser
  let visit: Visit
  beforeAll(async () => {
    database = await createDatabase()
    service = await startService({ DATABASE_URL: database.url })
    acme = await service.workspace()
    browser = await startBrowser()
    visit = await browser.visit(service.url, { cookie: acme.owner.cookie })
  })
  afterAll(async () => {
    await browser.close()
    await service.stop()
    await database.drop()
  })

  /** Restarts the service. Meanwhile another one runs on the same database. */
  async function restart(meanwhile: (url: string) => Promise<unknown>): Promise<void> {
    const { port } = new URL(service.url)
    await service.stop()
    const other = await startService({ DATABASE_URL: database.url })
    await meanwhile(other.url)
    await other.stop()
    service = await startService({ DATABASE_URL: database.url, PORT: port })
  }

  const notice = () =>
    visit.page
      .locator('.strip')
      .getByText('Reconnecting. You can keep working: your answers are saved in this browser.')

  test('it shows that it is reconnecting, then what happened in the meantime', async () => {
    const { page } = visit
    const answered = await createTask(acme, 'Answered')
    await createTask(acme, 'Stays')
    await visit.go(`/w/${acme.workspaceId}/inbox`)
    await expect.poll(() => page.getByRole('option').count()).toBe(2)
    await restart(async (url) => {
      await notice().waitFor()
      await agentAt(url, acme).post('/tasks', taskPayload({}, { name: 'New' }))
      await personAt(url, acme, acme.owner).post(`/tasks/${answered}/mark-done`)
    })
    await page.getByRole('button', { name: '1 new' }).waitFor()
    await notice().waitFor({ state: 'detached' })
    await expect.poll(() => taskNames(page)).toEqual(['Stays'])
    await createTask(acme, 'Newer')
    await page.getByRole('button', { name: '2 new' }).click()
    await expect.poll(() => taskNames(page)).toEqual(['Stays', 'New', 'Newer'])
  })

  test('if the session has ended, it asks to sign in', async () => {
    const { page } = visit
    await restart(() => page.context().clearCookies())
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(new URL(page.url()).searchParams.get('to')).toBe(`/w/${acme.workspaceId}/inbox`)
  })
})
