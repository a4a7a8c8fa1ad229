import { z } from 'zod'
import { readRetryAfter } from '../../lib/retry-after.ts'

/** Any server with OpenAI's chat completions API or Anthropic's messages API. */
export type ModelAddress = {
  provider: 'openai' | 'anthropic'
  baseUrl: string
  apiKey: string | undefined
  model: string
}

const maxResponseBytes = 256 * 1024
// Enough for three texts of a page each.
const maxTokens = 4_000

/** The model's server responded with an error. */
export class ModelServerError extends Error {
  readonly retryAfterSeconds: number | undefined
  constructor({ status, headers }: Response) {
    super(`the model’s server responded with ${status}`)
    this.retryAfterSeconds = readRetryAfter(headers.get('retry-after'))
  }
}

/**
 * Sends one prompt and returns the text of the response. The messages of its errors are shown to
 * people and agents.
 */
export async function askModel(
  address: ModelAddress,
  prompt: { system: string; user: string },
  signal: AbortSignal,
): Promise<string> {
  const { path, headers, body } = buildRequest(address, prompt)
  const response = await fetch(`${address.baseUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
    redirect: 'error',
    signal,
  }).catch((error) => {
    throw new Error('the model’s server could not be reached', { cause: error })
  })
  const text = await readBounded(response)
  if (!response.ok) throw new ModelServerError(response)
  return textOf(parseResponse(text))
}

function buildRequest(
  { provider, baseUrl, apiKey, model }: ModelAddress,
  { system, user }: { system: string; user: string },
) {
  if (provider === 'anthropic') {
    return {
      path: '/messages',
      headers: { 'anthropic-version': '2023-06-01', ...(apiKey && { 'x-api-key': apiKey }) },
      body: { model, max_tokens: maxTokens, system, messages: [{ role: 'user', content: user }] },
    }
  }
  // OpenAI's reasoning models reject max_tokens, and compatible servers may not know its successor.
  const limitName = new URL(baseUrl).hostname === 'api.openai.com' ? 'max_completion_tokens' : 'max_tokens'
  return {
    path: '/chat/completions',
    headers: { ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
    body: {
      model,
      [limitName]: maxTokens,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: user },
      ],
    },
  }
}

const ModelResponse = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullish() }) })).optional(),
  content: z.array(z.object({ type: z.string(), text: z.string().optional() })).optional(),
})
type ModelResponse = z.infer<typeof ModelResponse>

/**
 * Throws messages that quote nothing: a parser's own message would quote the response, and people
 * and agents see it.
 */
function parseResponse(text: string): ModelResponse {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new Error('the model’s server did not respond with JSON')
  }
  const { success, data } = ModelResponse.safeParse(body)
  if (!success) throw new Error('the model’s server responded in an unknown format')
  return data
}

function textOf(body: ModelResponse): string {
  const text =
    body.choices?.[0]?.message?.content ??
    body.content
      ?.filter(({ type }) => type === 'text')
      .map((part) => part.text ?? '')
      .join('')
  if (!text) throw new Error('the model refused or returned nothing')
  return text
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.length
      if (size > maxResponseBytes) break
      chunks.push(chunk)
    }
  } catch (error) {
    throw new Error('the connection to the model’s server was lost', { cause: error })
  }
  if (size > maxResponseBytes) throw new Error('the response of the model was too long')
  return Buffer.concat(chunks).toString('utf8')
}
