import type { Client } from '@modelcontextprotocol/client'
import type { RunOptions } from 'axe-core'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { axeSource } from '../../support/browser.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { type ChatHost, type HostOptions, openChatHost } from '../../support/chat-host.ts'
import { launchChromium } from '../../support/chromium.ts'
import { connectMcpClient } from '../../support/mcp-client.ts'
import { noProblems } from '../../support/page-problems.ts'
import { taskPayload } from '../../support/service.ts'

const hostile =
  '</script><script>parent.postMessage("x","*")</script><img src=https://track.example/p onerror=alert(1)>'
const actions = [{ id: 'approve', title: 'Approve' }]

describe('the card in a chat', () => {
  const { acme, service } = setUpBrowserTests()
  let client: Client
  let html: string
  let host: ChatHost
  beforeAll(async () => {
    const extensions = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } }
    client = await connectMcpClient(service.url, acme.apiKey, { capabilities: { extensions } })
    const { tools } = await client.listTools()
    const { ui } = tools.find(({ name }) => name === 'send_to_human')!._meta as {
      ui: { resourceUri: string }
    }
    const { contents } = await client.readResource({ uri: ui.resourceUri })
    html = (contents[0] as { text: string }).text
  })
  afterEach(async () => {
    // Whatever happened: nothing was loaded, no script failed, and no other tool was called.
    if (!host) return
    expect([host.requests(), host.problems()]).toEqual([[], noProblems])
    expect(host.calls().filter(({ name }) => name !== 'get_task')).toEqual([])
    await host.close()
  })

  const openHost = async (options: Partial<HostOptions> = {}) => {
    const callTool: HostOptions['callTool'] = (name, args) => client.callTool({ name, arguments: args })
    host = await openChatHost(await launchChromium(), { html, callTool, ...options })
    return host
  }
  const send = async (task: object = {}, more: object = {}) => {
    const args = {
      task: { type: 'refund', name: 'Refund €40?', description: 'It broke.', ...task },
      actions,
      ...more,
    }
    const { structuredContent } = await host.showCall('send_to_human', args)
    return (structuredContent as { taskId: string }).taskId
  }
  const state = () => host.card.getByRole('status')
  /** Waits for a text, without the characters that isolate names in it. */
  const shows = (text: string) =>
    expect
      .poll(async () => (await host.card.getByRole('main').innerText()).replaceAll(/[\u2068\u2069]/g, ''))
      .toContain(text)
  const frameOf = ({ page }: ChatHost) => page.frames().find((frame) => frame.parentFrame())!
  const violations = async (options: RunOptions = {}): Promise<string[]> => {
    const frame = frameOf(host)
    if (await frame.evaluate('typeof axe === "undefined"')) await frame.evaluate(`${axeSource}; undefined`)
    return await frame.evaluate(
      `axe.run(document, ${JSON.stringify(options)})
        .then(({ violations }) => violations.map(({ id, nodes }) => id + nodes[0].html))`,
    )
  }
  const refresh = () => host.card.getByRole('button', { name: 'Refresh' }).click()

  test('it follows the task from the call to the answer, and asks the host to open its page', async () => {
    const { page, card, calls, messages } = await openHost({ hasClock: true })
    const taskId = await send({}, { acceptsQuestions: true, expiresInSeconds: 3600 })
    await state().filter({ hasText: 'Waiting for a person' }).waitFor()
    await card.getByRole('heading', { name: 'Refund €40?' }).waitFor()
    await shows('It broke.')
    await shows('Not assigned')
    await shows('Deadline:')
    // More calls follow on a slow machine: the card refreshes itself after five seconds.
    expect(calls()[0]).toEqual({ name: 'get_task', arguments: { taskId } })

    await card.getByRole('button', { name: 'Open in Handrail' }).click()
    const url = `${service.url}/w/${acme.workspaceId}/inbox/${taskId}`
    await expect.poll(() => messages.find(({ method }) => method === 'ui/open-link')?.params).toEqual({ url })
    expect(await card.getByText(url).isVisible()).toBe(false)

    await acme.owner.post(`/tasks/${taskId}/assign`, { to: acme.ownerEmail })
    await acme.agent.post(`/tasks/${taskId}/updates`, { message: 'Asked the warehouse.' })
    await refresh()
    await shows('Asked the warehouse.')
    await shows(`Assigned to ${acme.ownerEmail}`)

    await acme.owner.post(`/tasks/${taskId}/questions`, { text: 'Which card?', kind: 'question' })
    await refresh()
    await state().filter({ hasText: 'Waiting for the agent' }).waitFor()
    await shows('“Which card?”')

    await acme.owner.post(`/tasks/${taskId}/handle`, { actionId: 'approve' })
    // The card refreshes itself. Nobody could press Refresh if it already has: the button is hidden
    // then.
    await page.clock.fastForward(300_000)
    await state().filter({ hasText: 'Answered' }).waitFor()
    await shows('“Approve”')
    await shows(`${acme.ownerEmail}`)
    expect(await card.getByRole('button', { name: 'Refresh' }).isVisible()).toBe(false)
  })

  test('while the agent waits in get_task, the card shows the task; later its result', async () => {
    const { taskId } = (await acme.agent.post('/tasks', taskPayload())).body
    await openHost()
    const call = host.showCall('get_task', { taskId, waitSeconds: 50 })
    await shows('Not assigned')
    await acme.agent.post(`/tasks/${taskId}/cancel`, { reason: 'Found it myself.' })
    await call
    await state().filter({ hasText: 'Cancelled' }).waitFor()
    await shows('It was cancelled: Found it myself.')
  })

  test('hostile texts are shown as text, and long ones are shortened', async () => {
    const { card, messages, notify } = await openHost()
    const long = { name: 'x'.repeat(100_000), description: 'y'.repeat(100_000) }
    await notify('ui/notifications/tool-input', { arguments: { task: long } })
    await state().filter({ hasText: 'Sending' }).waitFor()
    expect((await card.getByRole('main').innerText()).length).toBeLessThan(1_000)
    expect((await card.getByRole('main').boundingBox())!.height).toBeLessThan(400)

    const name = `${hostile} pay \u202e001 €`
    const taskId = await send({ name, description: hostile })
    await acme.agent.post(`/tasks/${taskId}/updates`, { message: hostile })
    await state().filter({ hasText: 'Waiting for a person' }).waitFor()
    await refresh()
    await card.getByRole('listitem').filter({ hasText: hostile }).waitFor()
    await card
      .getByRole('heading')
      .filter({ hasText: `${hostile} pay [RLO]001 €` })
      .waitFor()
    expect(await card.locator('img, a, iframe, script:not(body > script)').count()).toBe(0)
    // The only messages are those of the protocol.
    expect(messages.filter((message) => (message as { jsonrpc?: string }).jsonrpc !== '2.0')).toEqual([])
  })

  test('it does not ask while nobody sees it', async () => {
    const { page, calls } = await openHost({ hasClock: true })
    await send()
    await state().filter({ hasText: 'Waiting for a person' }).waitFor()
    const frame = frameOf(host)
    const moveTo = async (top: number) => {
      await page.evaluate((top) => {
        document.querySelector('iframe')!.style.marginTop = `${top}px`
      }, top)
      // The card observes the same, and was first.
      await frame.evaluate(
        (isAway) =>
          new Promise<void>((resolve) => {
            new IntersectionObserver(([entry]) => {
              if (entry!.isIntersecting !== isAway) resolve()
            }).observe(document.body)
          }),
        top > 0,
      )
    }
    await moveTo(5_000)
    await page.clock.fastForward(900_000)
    expect(calls()).toHaveLength(1)
    await moveTo(0)
    await expect.poll(() => calls().length).toBe(2)
  })

  test('it follows the theme of the host, is accessible, and reports its height', async () => {
    const { card, messages, notify } = await openHost({ hostContext: { theme: 'dark' } })
    await send()
    await state().filter({ hasText: 'Waiting for a person' }).waitFor()
    expect(await card.locator('html').getAttribute('class')).toBe('dark')
    expect(await violations()).toEqual([])
    await notify('ui/notifications/host-context-changed', { theme: 'light' })
    await card.locator('html:not(.dark)').waitFor()
    // The light theme changes only colours.
    expect(await violations({ runOnly: ['color-contrast'] })).toEqual([])
    const isOfHeight = async () => {
      const heights = messages.filter(({ method }) => method === 'ui/notifications/size-changed')
      const { height } = (await card.getByRole('main').boundingBox())!
      return heights.at(-1)?.params.height === Math.ceil(height)
    }
    await expect.poll(isOfHeight).toBe(true)
  })
})
