/**
 * MCP Apps: a host that declares this extension shows the card in the chat, below the tool call.
 */
export const appsExtension = 'io.modelcontextprotocol/ui'

const mimeType = 'text/html;profile=mcp-app'
const uri = 'ui://handrail/task'

/**
 * The card loads nothing and connects to nothing: its data is the result of the tool, which the
 * host sends to it.
 */
const _meta = {
  ui: {
    csp: { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] },
    prefersBorder: true,
  },
}

export const card = {
  uri,
  name: 'task-card',
  title: 'Task card',
  description: 'Shows a task in the chat: what was asked, its state, and a button that opens it in Handrail.',
  mimeType,
  _meta,
}

export const cardContents = (text: string) => [{ uri, mimeType, text, _meta }]

/** `_meta.ui` of the tools whose results are shown as a card. */
const cardTools: Record<string, object> = {
  send_to_human: { resourceUri: uri, visibility: ['model'] },
  get_task: { resourceUri: uri, visibility: ['model', 'app'] },
}

/**
 * The tools as listed to a host that shows cards. The host lets the card call only get_task,
 * because the other tools are for models only.
 */
export function withCards<Tool extends { name: string }>(tools: Tool[]): Tool[] {
  return tools.map((tool) => ({
    ...tool,
    _meta: { ui: cardTools[tool.name] ?? { visibility: ['model'] } },
  }))
}

/** Whether a client with these capabilities shows cards. The capabilities are not validated yet. */
export function showsCards(capabilities: unknown): boolean {
  const { extensions } = fieldsOf(capabilities)
  const { mimeTypes } = fieldsOf(fieldsOf(extensions)[appsExtension])
  return Array.isArray(mimeTypes) && mimeTypes.includes(mimeType)
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
