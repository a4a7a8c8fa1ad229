import { afterAll, beforeAll, expect, test } from 'vitest'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { startReceiver } from '../../support/receiver.ts'
import { taskPayload } from '../../support/service.ts'

const { acme, visit } = setUpBrowserTests()
let channel: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  channel = await startReceiver()
})
afterAll(() => channel.stop())

test('an admin sets and tests a chat webhook, and a failed message is shown on its task', async () => {
  const { page, go } = await visit(`/w/${acme.workspaceId}/settings/notifications`)
  await page.getByText("This service can't send email.").waitFor()
  await page.getByLabel('Webhook URL').fill('http://10.1.2.3/hook')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('This address is not public.').waitFor()
  await page.getByLabel('Webhook URL').fill(`${channel.url}/hook`)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(`Currently posting to ${new URL(channel.url).host}`).waitFor()
  await page.getByRole('button', { name: 'Send test message' }).click()
  expect((await channel.calls(1))[0]!.body).toContain('Handrail can post to this chat')

  // Nothing listens on this port.
  await page.getByLabel('New webhook URL').fill('http://127.0.0.1:1/hook')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Currently posting to 127.0.0.1:1').waitFor()
  const { taskId } = (await acme.agent.post('/tasks', taskPayload({ priority: 'urgent' }))).body
  await expect
    .poll(async () => (await acme.owner.get(`/tasks/${taskId}/deliveries`)).body.deliveries[0]?.attemptCount)
    .toBeGreaterThan(0)
  await go(`/w/${acme.workspaceId}/inbox/${taskId}`)
  await page.getByText("The chat message about this task hasn't been delivered yet.").waitFor()

  await go(`/w/${acme.workspaceId}/settings/notifications`)
  await page.getByRole('button', { name: 'Remove webhook' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove the chat webhook?' })
  await dialog.getByText('You need its URL to add it again.').waitFor()
  expect((await acme.owner.get('/notifications')).body.chat).toBeDefined()
  await dialog.getByRole('button', { name: 'Remove webhook' }).click()
  await page.getByText('Currently posting to').waitFor({ state: 'detached' })
})
