import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startBrowser, type TestBrowser, type Visit } from '../../support/browser.ts'
import { createTask, taskNames } from '../../support/browser-actions.ts'
import { agentAt, personAt } from '../../support/nodes.ts'
import {
  createMigratedDatabase,
  startService,
  type TestService,
  type TestWorkspace,
  taskPayload,
} from '../../support/service.ts'

describe('an open page survives a restart of the service', () => {
  let database: Awaited<ReturnType<typeof createMigratedDatabase>>
  let service: TestService
  let acme: TestWorkspace
  let browser: TestBrowser
  let visit: Visit
  beforeAll(async () => {
    database = await createMigratedDatabase()
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

  test('it shows that it is reconnecting, then what happened in the meantime', async () => {
    const { page } = visit
    const answered = await createTask(acme, 'Answered')
    await createTask(acme, 'Stays')
    await visit.go(`/w/${acme.workspaceId}/inbox`)
    await expect.poll(() => page.getByRole('option').count()).toBe(2)
    const { port } = new URL(service.url)
    await service.stop()
    const notice = page
      .locator('.strip')
      .getByText('Reconnecting. You can keep working: your answers are saved in this browser.')
    async function changeMeanwhile() {
      const { url, stop } = await startService({ DATABASE_URL: database.url })
      await agentAt(url, acme).post('/tasks', taskPayload({}, { name: 'New' }))
      await personAt(url, acme, acme.owner).post(`/tasks/${answered}/mark-done`)
      await stop()
    }
    await Promise.all([notice.waitFor(), changeMeanwhile()])
    service = await startService({ DATABASE_URL: database.url, PORT: port })
    await page.getByRole('button', { name: '1 new' }).waitFor()
    await notice.waitFor({ state: 'detached' })
    await expect.poll(() => taskNames(page)).toEqual(['Stays'])
    await createTask(acme, 'Newer')
    await page.getByRole('button', { name: '2 new' }).click()
    await expect.poll(() => taskNames(page)).toEqual(['Stays', 'New', 'Newer'])
  })
})
