import { createHmac, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, vi } from 'vitest'
import { blockKitProblems, viewProblems } from './block-kit.ts'
import type { TestWorkspace } from './service.ts'
import { waitOptions } from './wait-options.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read what was sent field by field
type Json = any
export type SlackCall = { method: string; token: string; input: Json }
export type PostedMessage = { channel: string; ts: string; blocks: Json[]; text: string; threadTs?: string }

/** `to`: only to calls with such an input. */
type PlannedResponse = {
  body?: Json
  status?: number
  headers?: Record<string, string>
  to?(input: Json): boolean
}

export type FakeSlack = Awaited<ReturnType<typeof startFakeSlack>>

/**
 * Slack's Web API on real HTTP. Refuses what exceeds Slack's documented limits, and keeps messages
 * as a channel would show them. The token of the team T1 is xoxb-T1-….
 */
export async function startFakeSlack() {
  const calls: SlackCall[] = []
  const messages: PostedMessage[] = []
  const problems: string[] = []
  const users = new Map<string, Json>()
  /** By method: what it responds with instead, once. */
  const responses: ({ method: string } & PlannedResponse)[] = []
  const held = new Map<string, { wait(): Promise<void> }>()
  let lastTs = 1_000
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const method = request.url!.slice(1)
    const token = String(request.headers.authorization).replace('Bearer ', '')
    const body = Buffer.concat(chunks).toString()
    const isJson = request.headers['content-type'] === 'application/json'
    const input = isJson ? JSON.parse(body) : readForm(body)
    calls.push({ method, token, input })
    await held.get(method)?.wait()
    const planned = responses.findIndex((one) => one.method === method && (one.to?.(input) ?? true))
    const [other] = planned >= 0 ? responses.splice(planned, 1) : []
    response.writeHead(other?.status ?? 200, { 'content-type': 'application/json', ...other?.headers })
    response.end(JSON.stringify(other?.body ?? respond(method, token, input)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  function respond(method: string, token: string, input: Json): Json {
    const teamId = token.split('-')[1]!
    if (token.endsWith('-revoked')) return { ok: false, error: 'token_revoked' }
    if (method === 'auth.test') return { ok: true, team_id: teamId, team: `Team ${teamId}`, user_id: 'UBOT' }
    if (method === 'users.info')
      return {
        ok: true,
        user: {
          id: input.user,
          team_id: teamId,
          name: 'mara',
          real_name: 'Mara in Slack',
          ...users.get(input.user),
        },
      }
    const found =
      method === 'views.open' ? viewProblems(input.view) : blockKitProblems(input.blocks ?? [], 50)
    if (method !== 'views.open' && !input.text) found.push('no text')
    problems.push(...found.map((problem) => `${method}: ${problem}`))
    if (found.length > 0) return { ok: false, error: 'invalid_blocks' }
    if (method === 'chat.postMessage') {
      const channel = input.channel.replace(/^U/, 'D')
      lastTs += 1
      const message = { channel, ts: `${lastTs}.0001`, blocks: input.blocks, text: input.text }
      messages.push({ ...message, ...(input.thread_ts && { threadTs: input.thread_ts }) })
      return { ok: true, channel, ts: message.ts }
    }
    if (method === 'chat.update') {
      const message = messages.find(({ channel, ts }) => channel === input.channel && ts === input.ts)
      if (!message) return { ok: false, error: 'message_not_found' }
      Object.assign(message, { blocks: input.blocks, text: input.text })
    }
    return { ok: true }
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    messages,
    users,
    /** Against Slack's limits. */
    problems,
    /** The next call of the method gets this instead. */
    respondOnce: (method: string, other: PlannedResponse) => responses.push({ method, ...other }),
    /** Calls of the method get no response until they are released. */
    hold: (method: string) => {
      const waiting: (() => void)[] = []
      held.set(method, { wait: () => new Promise((resolve) => waiting.push(resolve)) })
      const release = () => {
        held.delete(method)
        for (const resolve of waiting) resolve()
      }
      return { count: () => waiting.length, release }
    },
    inChannel: (channel: string) => messages.filter((message) => message.channel === channel),
    explanationsTo: (user: string): string[] =>
      calls
        .filter(({ method, input }) => method === 'chat.postEphemeral' && input.user === user)
        .map(({ input }) => textOf(input.blocks)),
    viewsOf: () => calls.filter(({ method }) => method === 'views.open').map(({ input }) => input.view),
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}

function readForm(text: string): Json {
  const parse = (value: string) => (/^[[{]|^(true|false)$/.test(value) ? JSON.parse(value) : value)
  return Object.fromEntries([...new URLSearchParams(text)].map(([name, value]) => [name, parse(value)]))
}

/** All texts of blocks, one per line. */
export function textOf(blocks: Json[]): string {
  return blocks
    .flatMap((block) => [
      block.text?.text,
      ...(block.elements ?? []).map((element: Json) => element.text?.text ?? element.text),
    ])
    .filter((text) => typeof text === 'string')
    .join('\n')
}

export function buttonsOf({ blocks }: Pick<PostedMessage, 'blocks'>): Json[] {
  return blocks.flatMap((block) => (block.type === 'actions' ? block.elements : []))
}

export const buttonTexts = (message: PostedMessage) => buttonsOf(message).map(({ text }) => text.text)

export function signAsSlack(secret: string, timestamp: number | string, body: string): string {
  return `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`
}

const now = () => Math.floor(Date.now() / 1000)

/** A workspace that is connected to Slack, and what Slack would send to it. */
export async function connectToSlack(serviceUrl: string, workspace: TestWorkspace, teamId = 'T1') {
  const secret = randomBytes(16).toString('hex')
  const botToken = `xoxb-${teamId}-${randomBytes(4).toString('hex')}`
  const connected = await workspace.owner.put('/slack', { botToken, signingSecret: secret })
  expect(connected.status, JSON.stringify(connected.body)).toBe(200)
  const url = `${serviceUrl}/slack/${workspace.workspaceId}/interactions`

  async function send(body: string, headers: Record<string, string> = {}) {
    const timestamp = String(now())
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': signAsSlack(secret, headers['x-slack-request-timestamp'] ?? timestamp, body),
        ...headers,
      },
      body,
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : readJson(text) }
  }
  const sendPayload = (payload: object) => send(payloadBody(payload))
  const identity = (user: string, team = teamId) => ({
    team: { id: team },
    user: { id: user, team_id: team },
  })

  return {
    secret,
    botToken,
    url,
    send,
    command: (user: string, text: string, team = teamId) =>
      send(
        new URLSearchParams({
          command: '/handrail',
          text,
          user_id: user,
          team_id: team,
          channel_id: 'C0000GENERAL',
        }).toString(),
      ),
    clickBody: (user: string, message: PostedMessage, buttonText: string, team?: string) =>
      payloadBody(clickPayload(identity(user, team), message, buttonText)),
    click: (user: string, message: PostedMessage, buttonText: string, team?: string) =>
      sendPayload(clickPayload(identity(user, team), message, buttonText)),
    /** `values` by block id. */
    submit: (user: string, view: Json, values: Record<string, Json>) =>
      sendPayload({
        type: 'view_submission',
        ...identity(user),
        view: {
          private_metadata: view.private_metadata,
          state: {
            values: Object.fromEntries(Object.entries(values).map(([id, value]) => [id, { value }])),
          },
        },
      }),
    /** The person creates a code and sends it from this Slack user. */
    async link(person: Pick<TestWorkspace['owner'], 'get' | 'post'>, user: string) {
      const { body } = await person.post('/notifications/slack/code')
      const linked = await this.command(user, body.command.replace('/handrail ', ''))
      // On a busy machine the service may still be at it when Slack needs its response.
      expect(linked.body.text).toMatch(/is now linked|has not linked your Slack user yet/)
      const isLinked = async () => Boolean((await person.get('/notifications')).body.slack.linkedTo)
      await vi.waitUntil(isLinked, waitOptions)
    },
  }
}

function clickPayload(identity: object, message: PostedMessage, buttonText: string) {
  const button = buttonsOf(message).find(({ text }) => text.text === buttonText)
  expect(button, `there is no button ${buttonText}`).toBeDefined()
  return {
    type: 'block_actions',
    ...identity,
    trigger_id: '1.2.3',
    channel: { id: message.channel },
    message: { ts: message.ts, blocks: message.blocks },
    actions: [{ type: 'button', action_id: button.action_id, value: button.value }],
  }
}

function payloadBody(payload: object): string {
  return new URLSearchParams({ payload: JSON.stringify(payload) }).toString()
}

function readJson(text: string): Json {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
