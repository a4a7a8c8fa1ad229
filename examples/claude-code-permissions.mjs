// Claude Code asks in Handrail before it uses a tool. This is a stdio MCP server for `claude -p --permission-prompt-tool`: each
// permission prompt becomes a task, and a person allows the call, allows it with changes, or denies it with a reason. Anything else
// is a denial. README.md says how to set it up.
import { randomUUID } from 'node:crypto'
import { McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { createClient, Denied, WaitTimeout } from 'handrail-client'
import { z } from 'zod'

const handrail = createClient({
  baseUrl: process.env.HANDRAIL_URL ?? 'http://127.0.0.1:3000',
  apiKey: process.env.HANDRAIL_API_KEY,
})
const waitSeconds = Number(process.env.HANDRAIL_WAIT_SECONDS ?? 600)

const server = new McpServer({ name: 'handrail-permissions', version: '1.0.0' })
server.registerTool(
  'ask_permission',
  {
    description: 'Asks a person whether a tool may be used.',
    // What Claude Code sends.
    inputSchema: z.object({
      tool_name: z.string(),
      input: z.record(z.string(), z.unknown()),
      tool_use_id: z.string().optional(),
    }),
  },
  async ({ tool_name, input }, { mcpReq }) => {
    const decision = await decide(tool_name, input, mcpReq.signal)
    return { content: [{ type: 'text', text: JSON.stringify(decision) }] }
  },
)
await server.connect(new StdioServerTransport())

/** Keys of the tasks that nobody answered in time, by tool and input: the same call continues with its task. */
const unanswered = new Map()

async function decide(tool, input, signal) {
  const call = JSON.stringify([tool, input])
  const key = unanswered.get(call) ?? randomUUID()
  unanswered.delete(call)
  let task
  const onCreated = (created) => {
    task = created
  }
  try {
    const { action, data } = await handrail.ask({
      ...taskFor(tool, input),
      key,
      timeoutSeconds: waitSeconds,
      signal,
      onCreated,
    })
    if (action === 'deny') return deny(data.reason)
    return { behavior: 'allow', updatedInput: action === 'edit' ? edited(input, data) : input }
  } catch (error) {
    if (error instanceof Denied)
      return deny(error.reason || 'A person rejected the call or marked the task done, and gave no reason.')
    if (error instanceof WaitTimeout) {
      unanswered.set(call, key)
      return deny(`Nobody has answered yet. Try again when someone has: ${task.url}`)
    }
    // Claude Code no longer waits, so nobody should answer.
    if (signal.aborted && task)
      await handrail.cancelTask(task.taskId, { reason: 'Claude Code stopped waiting.' })
    return deny(`No permission was given. ${error.message}`)
  }
}

function deny(message) {
  return { behavior: 'deny', message }
}

function taskFor(tool, input) {
  const fields = Object.keys(input).filter((name) => isEditable(input[name]))
  const texts = fields.filter((name) => typeof input[name] === 'string')
  const edit = {
    id: 'edit',
    title: 'Allow with changes',
    schema: {
      type: 'object',
      properties: Object.fromEntries(fields.map((name) => [name, { type: typeof input[name], title: name }])),
    },
    ui: Object.fromEntries(
      fields.map((name) => [
        name,
        { ...(texts.includes(name) && { 'ui:widget': 'textarea' }), 'ui:options': { prefill: name } },
      ]),
    ),
  }
  return {
    task: {
      type: 'tool-permission',
      name: oneLine(`Allow ${tool}? ${input[texts[0]] ?? ''}`),
      description: `Claude Code wants to use ${tool} in ${process.cwd()}.`,
    },
    app: 'claude-code',
    context: {
      data: input,
      ui: Object.fromEntries(texts.map((name) => [name, { 'ui:widget': 'code' }])),
    },
    actions: [
      { id: 'allow', title: 'Allow', outcome: 'positive' },
      ...(fields.length > 0 ? [edit] : []),
      {
        id: 'deny',
        title: 'Deny',
        outcome: 'negative',
        schema: {
          type: 'object',
          required: ['reason'],
          properties: { reason: { type: 'string', title: 'Why not?' } },
        },
        ui: { reason: { 'ui:widget': 'textarea' } },
      },
    ],
    expiresInSeconds: 24 * 60 * 60,
  }
}

/** For the list of tasks: "Allow Bash? npm test". */
function oneLine(text) {
  return [...text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()].slice(0, 100).join('')
}

/** Lists and objects are shown, but not editable. */
function isEditable(value) {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

function edited(input, data) {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      if (!isEditable(value)) return [name, value]
      // The form leaves out fields that were emptied.
      return [name, data[name] ?? (typeof value === 'string' ? '' : undefined)]
    }),
  )
}
