import { readFileSync } from 'node:fs'
import { afterEach, expect, test, vi } from 'vitest'

type Message = { id?: number; method?: string; params?: unknown }

const record = { taskId: 'tsk_1', status: 'open', waitingFor: 'person', name: 'Refund?', description: '' }
const toolResult = { method: 'ui/notifications/tool-result', params: { structuredContent: record } }

/** Sends a message of the host to the card. */
function post(message: object) {
  const data = { jsonrpc: '2.0', ...message }
  window.dispatchEvent(new MessageEvent('message', { source: window.parent, data }))
}

/** Loads the card in a page that plays the host. */
async function openCard(callTool: () => object) {
  const html = readFileSync('src/web/card/card.html', 'utf8')
  document.body.innerHTML = html.slice(html.indexOf('<main'), html.indexOf('<script>'))
  vi.spyOn(window.parent, 'postMessage').mockImplementation(({ id, method }: Message) => {
    const result = { hostCapabilities: { serverTools: {} } }
    if (method === 'ui/initialize') queueMicrotask(() => post({ id, result }))
    if (method === 'tools/call') queueMicrotask(() => post({ id, ...callTool() }))
  })
  await import('./main.ts')
  await new Promise((resolve) => setTimeout(resolve))
}

const checked = () => document.getElementById('checked')!.textContent!.trim()

afterEach(() => {
  post({ method: 'ui/resource-teardown' })
  vi.restoreAllMocks()
  vi.resetModules()
})

test('a result that may be old is refreshed at once, and the card says when it was checked', async () => {
  const callTool = vi.fn(() => ({ result: { structuredContent: record } }))
  await openCard(callTool)
  post(toolResult)
  expect(document.getElementById('name')!.textContent).toContain('Refund?')
  expect(checked()).toBe('')
  await vi.waitFor(() => expect(checked()).toMatch(/^Checked at ./))
  expect(callTool).toHaveBeenCalledOnce()
})

test('a card that could not be refreshed names no time of a check', async () => {
  await openCard(() => ({ error: { code: -32_000, message: 'Denied' } }))
  post(toolResult)
  await vi.waitFor(() => expect(checked()).toBe("Couldn't refresh."))
})
