import { openBridge } from './bridge.ts'
import type { CardTask } from './describe-task.ts'
import { refreshRepeatedly } from './refresh.ts'
import {
  openButton,
  refreshButton,
  showChecked,
  showLink,
  showNotRefreshed,
  showState,
  showTask,
  webAddressOf,
} from './show-task.ts'

// The card of a task in a chat (MCP Apps). Nobody can answer in it: the host calls tools with the
// agent's credential, so nothing that comes from here can be a person's decision.
// docs/decisions/057

type HostContext = { theme?: string; styles?: { variables?: Record<string, string> } }
type InitializeResult = { hostCapabilities?: { serverTools?: object }; hostContext?: HostContext }
type ToolInput = { arguments?: { taskId?: unknown; task?: { name?: unknown; description?: unknown } } }
type ToolResult = {
  isError?: boolean
  structuredContent?: CardTask
  content?: { text?: string }[]
}

/** What the agent sent. The record of the task takes precedence. */
let sent: CardTask = {}
let task: CardTask | undefined
let taskId: string | undefined
let hostTheme: string | undefined
let canCallTools = false
let isRefreshing = false
let stopRefreshing = () => {}

const prefersDark = window.matchMedia('(prefers-color-scheme: dark)')
const bridge = openBridge(onMessage)
openButton.addEventListener('click', () => void openTask())
refreshButton.addEventListener('click', () => void refresh())
prefersDark.addEventListener('change', () => showTheme())
showTheme()
connect().catch(() => showState('Not connected', 'plain'))

async function connect(): Promise<void> {
  const { hostCapabilities, hostContext } = (await bridge.request('ui/initialize', {
    protocolVersion: '2026-01-26',
    appInfo: { name: 'Handrail task card', version: '1.0.0' },
    appCapabilities: { availableDisplayModes: ['inline'] },
  })) as InitializeResult
  canCallTools = hostCapabilities?.serverTools !== undefined
  showHostContext(hostContext)
  bridge.notify('ui/notifications/initialized', {})
  const card = document.getElementById('card')!
  new ResizeObserver(() =>
    bridge.notify('ui/notifications/size-changed', {
      height: Math.ceil(card.getBoundingClientRect().height),
    }),
  ).observe(card)
}

/** Handles a message from the host. Returns whether the method is known. */
function onMessage(method: string, params: unknown): boolean {
  if (method === 'ui/notifications/tool-input') onToolInput(params as ToolInput)
  else if (method === 'ui/notifications/tool-result') onToolResult(params as ToolResult)
  else if (method === 'ui/notifications/tool-cancelled') onToolCancelled()
  else if (method === 'ui/notifications/host-context-changed') showHostContext(params as HostContext)
  else if (method === 'ui/resource-teardown') stopRefreshing()
  else return method === 'ping'
  return true
}

function onToolInput({ arguments: args }: ToolInput): void {
  const { name, description } = args?.task ?? {}
  sent = {
    ...(typeof name === 'string' && { name }),
    ...(typeof description === 'string' && { description }),
  }
  if (sent.name !== undefined) showTask(sent)
  // A get_task call may wait for minutes. The card loads the task itself and shows it before that.
  if (typeof args?.taskId === 'string') {
    taskId = args.taskId
    if (canCallTools) void refresh()
  }
}

function onToolResult(result: ToolResult): void {
  const record = recordOf(result)
  if (!record) {
    if (!task) showState('The call failed', 'neg')
    return
  }
  showRecord(record)
  stopRefreshing()
  if (!canCallTools || hasEnded(record)) return
  stopRefreshing = refreshRepeatedly(refresh)
  // In a chat that is opened again, the result may be old, and a result of send_to_human has no state.
  void refresh()
}

function onToolCancelled(): void {
  if (!task) showState('The call was cancelled', 'plain')
}

async function refresh(): Promise<'open' | 'ended' | 'failed'> {
  if (isRefreshing) return 'open'
  isRefreshing = true
  refreshButton.disabled = true
  try {
    const params = { name: 'get_task', arguments: { taskId } }
    const record = recordOf((await bridge.request('tools/call', params)) as ToolResult)
    if (!record || record.taskId !== taskId) throw new Error('The result is not the record of the task')
    showRecord(record)
    showChecked()
    return hasEnded(record) ? 'ended' : 'open'
  } catch {
    showNotRefreshed()
    return 'failed'
  } finally {
    isRefreshing = false
    refreshButton.disabled = false
  }
}

function showRecord(record: CardTask): void {
  // The response to an earlier call may arrive after the response to a later one.
  if (task?.updatedAt && record.updatedAt && record.updatedAt < task.updatedAt) return
  task = { ...sent, ...record }
  taskId = task.taskId
  showTask(task)
  refreshButton.hidden = !canCallTools || hasEnded(record)
}

/**
 * Undefined if the call failed or returned no task. Hosts that omit structuredContent still pass
 * its JSON as text.
 */
function recordOf({ isError, structuredContent, content = [] }: ToolResult): CardTask | undefined {
  if (isError) return undefined
  try {
    const record = structuredContent ?? JSON.parse(content[0]?.text ?? '')
    if (typeof record?.taskId !== 'string') return undefined
    // The result of send_to_human contains the URL only in its advice to the model.
    const url = record.url ?? /^The task: (\S+)$/m.exec(content[1]?.text ?? '')?.[1]
    return { ...record, ...(url && { url }) }
  } catch {
    return undefined
  }
}

function hasEnded({ status }: CardTask): boolean {
  return status !== undefined && status !== 'open'
}

async function openTask(): Promise<void> {
  const url = task && webAddressOf(task)
  if (!url) return
  try {
    const result = (await bridge.request('ui/open-link', { url })) as { isError?: boolean } | undefined
    if (result?.isError) showLink(url)
  } catch {
    showLink(url)
  }
}

function showHostContext({ theme, styles }: HostContext = {}): void {
  if (theme !== undefined) showTheme(theme)
  const font = styles?.variables?.['--font-sans']
  if (font) document.documentElement.style.setProperty('--host-font', font)
}

function showTheme(theme = hostTheme): void {
  hostTheme = theme
  document.documentElement.classList.toggle('dark', theme ? theme === 'dark' : prefersDark.matches)
}
