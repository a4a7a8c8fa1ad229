import { z } from 'zod'

/** How to reach a model: any server that speaks OpenAI's chat completions, or Anthropic's messages. */
export type ModelAddress = {
  provider: 'openai' | 'anthropic'
  baseUrl: string
  apiKey: string | undefined
  model: string
}

const answerBytes = 256 * 1024
// Enough for three texts of a page each.
const mostTokens = 4_000

/** One question, one answer. Throws in plain words when there is none. */
export async function askModel(
  address: ModelAddress,
  prompt: { system: string; user: string },
  signal: AbortSignal,
): Promise<string> {
  const { path, headers, body } = requestFor(address, prompt)
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
  if (!response.ok) throw new Error(`the model's server answered ${response.status}`)
  return answerIn(wireIn(text))
}

function requestFor(
  { provider, baseUrl, apiKey, model }: ModelAddress,
  { system, user }: { system: string; user: string },
) {
  if (provider === 'anthropic') {
    return {
      path: '/messages',
      headers: { 'anthropic-version': '2023-06-01', ...(apiKey && { 'x-api-key': apiKey }) },
      body: { model, max_tokens: mostTokens, system, messages: [{ role: 'user', content: user }] },
    }
  }
  // OpenAI itself refuses the name that everybody else knows.
  const bound = new URL(baseUrl).hostname === 'api.openai.com' ? 'max_completion_tokens' : 'max_tokens'
  return {
    path: '/chat/completions',
    headers: { ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
    body: {
      model,
      [bound]: mostTokens,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: user },
      ],
    },
  }
}

const Wire = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullish() }) })).optional(),
  content: z.array(z.object({ type: z.string(), text: z.string().optional() })).optional(),
})
type Wire = z.infer<typeof Wire>

/** In words of ours: what a parser says quotes the answer, and an error is shown to people and agents. */
function wireIn(text: string): Wire {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new Error('the model’s server did not answer with JSON')
  }
  const { success, data } = Wire.safeParse(body)
  if (!success) throw new Error('the model’s server answered in a shape that is neither protocol’s')
  return data
}

function answerIn(body: Wire): string {
  const text =
    body.choices?.[0]?.message?.content ??
    body.content
      ?.filter(({ type }) => type === 'text')
      .map((part) => part.text ?? '')
      .join('')
  if (!text) throw new Error('the model refused or said nothing')
  return text
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > answerBytes) throw new Error('the answer of the model was too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
