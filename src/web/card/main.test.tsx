import { readFileSync } from 'node:fs'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'

type Message = { id?: number; method?: string; params?: unknown }

const record = { taskId: 'tsk_1', status: 'open', waitingFor: 'person', name: 'Refund?', description: '' }
const resultOf = (structuredContent: object) => ({
  method: 'ui/notifications/tool-result',
  params: { structuredContent },
})
const denied = { error: { code: -32_000, message: 'Denied' } }

/** Sends a message to the card, by default of the host. */
function post(message: object, source: Window | null = window.parent) {
  const data = { jsonrpc: '2.0', ...message }
  window.dispatchEvent(new MessageEvent('message', { source, data }))
}

/** Loads the card in a page that plays the host. Returns what the card sends. */
async function openCard(callTool = (): object => denied, hostCapabilities: object = { serverTools: {} }) {
  const html = readFileSync('src/web/card/card.html', 'utf8')
  document.body.innerHTML = html.slice(html.indexOf('<main'), html.indexOf('<script>'))
  const sent: Message[] = []
  vi.spyOn(window.parent, 'postMessage').mockImplementation((message: Message) => {
    const { id, method } = message
    sent.push(message)
    if (method === 'ui/initialize') queueMicrotask(() => post({ id, result: { hostCapabilities } }))
    if (method === 'tools/call') queueMicrotask(() => post({ id, ...callTool() }))
    if (method === 'ui/open-link') queueMicrotask(() => post({ id, ...denied }))
  })
  const listen = vi.spyOn(window, 'addEventListener')
  await import('./main.ts')
  onTestFinished(() => {
    for (const [type, listener] of listen.mock.calls) window.removeEventListener(type, listener)
  })
  await new Promise((resolve) => setTimeout(resolve))
  return sent
}

const element = (id: string) => document.getElementById(id)!
const checked = () => element('checked').textContent.trim()

afterEach(() => {
  post({ method: 'ui/resource-teardown' })
  vi.restoreAllMocks()
  vi.resetModules()
})

test('a result that may be old is refreshed at once, and the card says when it was checked', async () => {
  const callTool = vi.fn(() => ({ result: { structuredContent: record } }))
  await openCard(callTool)
  post(resultOf(record))
  expect(element('name').textContent).toContain('Refund?')
  expect(checked()).toBe('')
  await vi.waitFor(() => expect(checked()).toMatch(/^Checked at ./))
  expect(callTool).toHaveBeenCalledOnce()
})

test('a card that could not be refreshed names no time of a check', async () => {
  await openCard()
  post(resultOf(record))
  await vi.waitFor(() => expect(checked()).toBe("Couldn't refresh."))
})

test('a host that allows nothing still shows the task, and its address to copy', async () => {
  const sent = await openCard(undefined, {})
  const url = 'https://handrail.example/w/wsp_1/inbox/tsk_1'
  post(resultOf({ taskId: 'tsk_1', url }))
  expect(element('state').textContent).toBe('Sent')
  expect([element('refresh').hidden, element('open').hidden, element('link').hidden]).toEqual([
    true,
    false,
    true,
  ])
  element('open').click()
  await vi.waitFor(() => expect(element('link').hidden).toBe(false))
  expect(element('url').textContent).toBe(url)
  expect(sent.filter(({ method }) => method === 'tools/call')).toEqual([])
})

test('only http and https are opened', async () => {
  await openCard()
  const ended = { ...record, status: 'cancelled' }
  post(resultOf({ ...ended, url: 'https://handrail.example/' }))
  expect(element('open').hidden).toBe(false)
  post(resultOf({ ...ended, url: 'javascript:alert(1)' }))
  expect(element('open').hidden).toBe(true)
})

test('messages that do not come from the host are ignored', async () => {
  await openCard()
  post(resultOf({ ...record, name: 'Forged' }), null)
  expect(element('name').textContent).toBe('Task')
  post(resultOf(record))
  expect(element('name').textContent).toContain('Refund?')
})

test('a refused call says so', async () => {
  await openCard()
  const content = [{ type: 'text', text: 'actions: Required' }]
  post({ method: 'ui/notifications/tool-result', params: { isError: true, content } })
  expect(element('state').textContent).toBe('The call failed')
})

test('it ends when the host removes it, and refuses what it does not know', async () => {
  const sent = await openCard()
  post({ id: 7, method: 'ui/resource-teardown', params: { reason: 'closed' } })
  post({ id: 8, method: 'ui/unknown', params: {} })
  expect(sent.filter(({ method }) => method === undefined)).toMatchObject([
    { id: 7, result: {} },
    { id: 8, error: { code: -32601 } },
  ])
})
