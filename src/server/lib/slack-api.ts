import { joinSignals } from './joined-signal.ts'
import { parseJson } from './parse-json.ts'
import { decodeUtf8, readStream } from './read-bytes.ts'
import { readRetryAfter } from './retry-after.ts'

const timeoutMilliseconds = 10_000
const maxResponseBytes = 1024 * 1024

export type SlackMethod =
  | 'auth.test'
  | 'chat.postMessage'
  | 'chat.update'
  | 'chat.postEphemeral'
  | 'views.open'
  | 'users.info'

export type SlackResponse =
  | { ok: true; body: Record<string, unknown> }
  | {
      ok: false
      /** Slack's name of the problem, such as channel_not_found. undefined: there was no usable response. */
      code?: string
      error: string
      status: number | undefined
      retryAfterSeconds?: number
    }

export type SlackApi = {
  call(token: string, method: SlackMethod, input: object, signal?: AbortSignal): Promise<SlackResponse>
  /** Whether a response URL that came with a request leads to Slack. */
  isResponseUrl(url: string): boolean
  /** Sends a message to a response URL, which needs no token. */
  respond(url: string, message: object): Promise<SlackResponse>
}

// Where response URLs of Slack and GovSlack lead.
const responseOrigins = ['https://hooks.slack.com', 'https://hooks.slack-gov.com']

/**
 * Slack's Web API. `apiUrl` is configured by the operator. Parameters are sent as a form, which
 * every method accepts.
 */
export function createSlackApi(apiUrl: string): SlackApi {
  const origins = [...responseOrigins, new URL(apiUrl).origin]
  return {
    call: (token, method, input, signal) =>
      send(
        `${apiUrl}/${method}`,
        { headers: { authorization: `Bearer ${token}`, accept: 'application/json' }, body: toForm(input) },
        signal,
      ),
    isResponseUrl: (url) => URL.canParse(url) && origins.includes(new URL(url).origin),
    async respond(url, message) {
      const headers = { 'content-type': 'application/json' }
      const response = await send(url, { headers, body: JSON.stringify(message) })
      // A response URL may respond with the text "ok" instead of JSON.
      const isAccepted = response.ok || (response.status === 200 && response.code === undefined)
      return isAccepted ? { ok: true, body: {} } : response
    },
  }
}

async function send(
  url: string,
  request: { headers: Record<string, string>; body: string | URLSearchParams },
  signal?: AbortSignal,
): Promise<SlackResponse> {
  const timeout = AbortSignal.timeout(timeoutMilliseconds)
  const joined = joinSignals(timeout, ...(signal ? [signal] : []))
  try {
    // Slack does not redirect, and following a redirect could send the message elsewhere.
    const response = await fetch(url, {
      ...request,
      method: 'POST',
      redirect: 'error',
      signal: joined.signal,
    })
    return await read(response)
  } catch (error) {
    return {
      ok: false,
      status: undefined,
      error: timeout.aborted
        ? `Slack did not respond within ${timeoutMilliseconds / 1000} s.`
        : explain(error),
    }
  } finally {
    joined.release()
  }
}

function toForm(input: object): URLSearchParams {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(input))
    if (value !== undefined) form.set(name, typeof value === 'string' ? value : JSON.stringify(value))
  return form
}

async function read(response: Response): Promise<SlackResponse> {
  const { status } = response
  const retryAfterSeconds = readRetryAfter(response.headers.get('retry-after'))
  const bytes = await readStream(response.body, maxResponseBytes)
  const body = parse(bytes && decodeUtf8(bytes))
  if (status === 200 && body?.ok === true) return { ok: true, body }
  const code = typeof body?.error === 'string' ? body.error.slice(0, 100) : undefined
  return {
    ok: false,
    status,
    error: code === undefined ? `Slack responded with ${status}.` : `Slack refused the request: ${code}.`,
    ...(code !== undefined && { code }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  }
}

function parse(text: string | undefined): Record<string, unknown> | undefined {
  const value = parseJson(text ?? '')
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
}

function explain(error: unknown): string {
  const { cause } = error as { cause?: { code?: string } }
  return `Slack could not be reached${cause?.code ? ` (${cause.code})` : ''}.`
}
