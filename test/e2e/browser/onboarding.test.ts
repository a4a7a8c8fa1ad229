import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, test } from 'vitest'
import { setUpToken } from '../../../src/server/domain/workspaces/set-up.ts'
import { fillSetUpForm, sendAnswer } from '../../support/browser-actions.ts'
import { setUpBrowserTests, signedOut } from '../../support/browser-tests.ts'

const { service, visit } = setUpBrowserTests({ environment: {}, withoutWorkspace: true })

test('the pages alone lead a newcomer from the setup link to an answered task of a real MCP client', async () => {
  const { page } = await visit(`/setup#${setUpToken(service.app.service.secrets.authSecret)}`, signedOut)
  await fillSetUpForm(page)

  // The empty inbox shows the first step.
  await page.getByRole('heading', { name: 'No open tasks' }).waitFor()
  expect(page.url()).toMatch(/\/w\/wsp_\w+\/inbox$/)
  await page.getByRole('link', { name: 'Connect an agent' }).click()
  await page.getByLabel('Key name').fill('first agent')
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByText('Copy this key now.').waitFor()
  await page.getByText('Waiting for the first call').waitFor()

  // The configuration that a person would copy from the page.
  const config = JSON.parse((await page.getByRole('group', { name: 'mcp.json' }).textContent()) ?? '')
  const { url, headers } = config.mcpServers.handrail
  const mcp = new Client({ name: 'onboarding', version: '1.0.0' })
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
  await mcp.connect(transport as Parameters<typeof mcp.connect>[0])
  const sent = await mcp.callTool({
    name: 'send_to_human',
    arguments: {
      task: { type: 'hello', name: 'Say hello', description: 'My first task.' },
      actions: [{ id: 'hello', title: 'Hello back' }],
    },
  })
  const { taskId } = sent.structuredContent as { taskId: string }
  await page.getByText('Received the first call').waitFor()
  await page.getByRole('link', { name: 'your inbox' }).click()
  await page.getByRole('option', { name: /Say hello/ }).click()
  await page.getByRole('button', { name: 'Hello back' }).first().click()
  await sendAnswer(page)

  const answer = await mcp.callTool({ name: 'get_task', arguments: { taskId, waitSeconds: 50 } })
  await mcp.close()
  expect(answer.structuredContent).toMatchObject({
    status: 'handled',
    handled: { actionId: 'hello', handledBy: 'nadia@shop.example' },
  })

  // The page remembers the agent.
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByText('This workspace has 1 key; “first agent” was last used').waitFor()
  expect(await page.getByText('Done', { exact: true }).count()).toBe(3)
})
