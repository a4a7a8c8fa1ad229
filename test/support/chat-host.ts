import type { Browser, FrameLocator } from 'playwright-core'
import { watchForProblems } from './page-problems.ts'
import { waitOptions } from './wait-options.ts'

type Message = {
  id?: number
  method?: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read messages field by field
  params?: any
}
type CallTool = (name: string, args: Record<string, unknown>) => Promise<unknown>

export type HostOptions = {
  /** The HTML of the card, as the host has read it. */
  html: string
  callTool: CallTool
  hostContext?: { theme?: 'light' | 'dark' }
  width?: number
  /** Installs Playwright's clock before the card is loaded, so that all its timers are of that clock. */
  hasClock?: boolean
}

export type ChatHost = Awaited<ReturnType<typeof openChatHost>>

const origin = 'http://127.0.0.1:9'
/** The policy that a host must use for a card without domains. A frame with srcdoc inherits it. */
const policy =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'; frame-src 'none'; object-src 'none'"

/**
 * A chat that shows a card, by the specification of MCP Apps (2026-01-26): a sandboxed frame,
 * JSON-RPC over postMessage. What the card sends is handled here, outside the page.
 */
export async function openChatHost(browser: Browser, options: HostOptions) {
  const { html, hostContext, width = 480, hasClock = false } = options
  const context = await browser.newContext({ viewport: { width: width + 32, height: 700 } })
  const watch = await watchForProblems(context)
  watch.start(origin)
  context.setDefaultTimeout(waitOptions.timeout)
  const page = await context.newPage()
  if (hasClock) await page.clock.install()
  const requests: string[] = []
  context.on('request', (request) => requests.push(request.url()))
  const messages: Message[] = []
  const post = (message: object) =>
    page.evaluate((data) => document.querySelector('iframe')!.contentWindow!.postMessage(data, '*'), {
      jsonrpc: '2.0',
      ...message,
    })
  const notify = (method: string, params: object) => post({ method, params })

  let setInitialized = () => {}
  const initialized = new Promise<void>((resolve, reject) => {
    setInitialized = resolve
    context.on('weberror', (failure) => reject(failure.error()))
  })
  await page.exposeFunction('fromCard', async (message: Message) => {
    messages.push(message)
    if (message.method === 'ui/notifications/initialized') setInitialized()
    if (message.method === 'ui/notifications/size-changed')
      await page.evaluate((height) => {
        document.querySelector('iframe')!.style.height = `${height}px`
      }, message.params.height)
    if (message.id !== undefined && message.method)
      await post({ id: message.id, ...(await respond(options, message)) }).catch(() => undefined)
  })
  await page.route(`${origin}/`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      headers: { 'content-security-policy': policy },
      body: chat(width),
    }),
  )
  await page.goto(origin)
  await page.evaluate(
    ({ html, theme }) => {
      document.documentElement.classList.add(theme)
      document.querySelector('iframe')!.srcdoc = html
    },
    { html, theme: hostContext?.theme ?? 'light' },
  )
  await initialized
  return {
    page,
    card: page.frameLocator('iframe') as FrameLocator,
    /** Everything that the card has sent, oldest first. */
    messages,
    /** The calls of tools. */
    calls: () => messages.filter(({ method }) => method === 'tools/call').map(({ params }) => params),
    /** Addresses that any frame has requested, except the page itself. */
    requests: () => requests.filter((url) => url !== `${origin}/` && url !== 'about:srcdoc'),
    problems: watch.problems,
    notify,
    post,
    /** The agent calls a tool: the card gets the arguments, then the result. */
    async showCall(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
      await notify('ui/notifications/tool-input', { arguments: args })
      const result = await options.callTool(name, args)
      await notify('ui/notifications/tool-result', result as object)
      return result as Record<string, unknown>
    },
    close: () => context.close(),
  }
}

async function respond(options: HostOptions, { method, params }: Message): Promise<object> {
  const { callTool, hostContext = {} } = options
  if (method === 'ui/initialize') {
    const hostInfo = { name: 'test host', version: '1' }
    const hostCapabilities = { serverTools: {}, openLinks: {} }
    return { result: { protocolVersion: params.protocolVersion, hostInfo, hostCapabilities, hostContext } }
  }
  if (method === 'tools/call') {
    return await callTool(params.name, params.arguments).then(
      (result) => ({ result }),
      (error) => ({ error: { code: -32000, message: String(error) } }),
    )
  }
  if (method === 'ui/open-link') return { result: {} }
  return { error: { code: -32000, message: 'Denied' } }
}

const chat = (width: number) => `<!doctype html>
<style>
body { margin: 16px; background: #fff } .dark body { background: #222 }
iframe { display: block; width: ${width}px; height: 80px; border: 1px solid #8884; border-radius: 8px }
</style>
<iframe sandbox="allow-scripts"></iframe>
<script>
addEventListener('message', ({ source, data }) => {
  if (source === document.querySelector('iframe').contentWindow) fromCard(data)
})
</script>`
