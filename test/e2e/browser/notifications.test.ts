import { afterAll, beforeAll, expect, test } from 'vitest'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { startReceiver } from '../../support/receiver.ts'

const { acme, visit } = setUpBrowserTests()
let channel: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  channel = await startReceiver()
})
afterAll(() => channel.stop())

test('quiet hours are saved at once; an admin sets, tests and removes a chat webhook', async () => {
  const { page } = await visit(`/w/${acme.workspaceId}/settings/notifications`)
  const stored = async () => (await acme.owner.get('/notifications')).body
  await page.getByText("This service can't send email.").waitFor()
  await page.getByRole('switch', { name: 'Send nothing at certain hours' }).click()
  await expect.poll(async () => (await stored()).quietHours).toMatchObject({ from: '22:00', to: '07:00' })

  await page.getByLabel('Webhook URL').fill('http://10.1.2.3/hook')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('This address is not public.').waitFor()
  await page.getByLabel('Webhook URL').fill(`${channel.url}/hook`)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(`Currently posting to ${new URL(channel.url).host}`).waitFor()
  await page.getByRole('button', { name: 'Send test message' }).click()
  expect((await channel.calls(1))[0]!.body).toContain('Handrail can post to this chat')

  await page.getByRole('button', { name: 'Remove webhook' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove the chat webhook?' })
  await dialog.getByText('You need its URL to add it again.').waitFor()
  expect((await stored()).chat).toBeDefined()
  await dialog.getByRole('button', { name: 'Remove webhook' }).click()
  await page.getByText('Currently posting to').waitFor({ state: 'detached' })
})
