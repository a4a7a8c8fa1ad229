import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startBrowser, type TestBrowser } from '../../support/browser.ts'
import { fillSetUpForm, sendAnswer } from '../../support/browser-actions.ts'
import { startNode } from '../../support/node.ts'
import { noProblems } from '../../support/page-problems.ts'
import { createDatabase, testSecrets } from '../../support/service.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
let browser: TestBrowser
beforeAll(async () => {
  database = await createDatabase()
  browser = await startBrowser()
})
afterAll(async () => {
  await browser.close()
  await database.drop()
})

test('the pages alone lead a newcomer from the first start to an answered task of a real MCP client', async () => {
  const startedAt = performance.now()
  const node = await startNode({ DATABASE_URL: database.url, ...testSecrets })
  try {
    const visit = await browser.visit(node.url)
    const { page } = visit
    const link = () => /^http\S+\/setup#\S+$/m.exec(node.output())?.[0]
    await expect.poll(link).toBeTruthy()
    await page.goto(link()!)
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
    await page.goto(page.url().replace(/\/inbox.*/, '/settings/connect'))
    await page.getByText('This workspace has 1 key; “first agent” was last used').waitFor()
    expect(await page.getByText('Done', { exact: true }).count()).toBe(3)
    expect(await visit.problems()).toEqual(noProblems)
    console.log(`From the first start to an answered task: ${Math.round(performance.now() - startedAt)} ms`)
  } finally {
    await node.kill()
  }
})
