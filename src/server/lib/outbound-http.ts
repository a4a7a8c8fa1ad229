import { lookup as systemLookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector, request } from 'undici'
import { createAddressRule } from './address-rule.ts'

const longestPatience = 15_000
const answerBytes = 64 * 1024
const keptBytes = 1024

export type Outcome = {
  /** The status of the answer; undefined when none came. */
  status: number | undefined
  retryAfterSeconds?: number
  durationMilliseconds: number
  error?: string
  /** The first KiB of the answer. */
  answer?: string
}

export type OutboundOptions = {
  /** What an operator allows besides public addresses, such as 10.1.2.0/24. */
  allowedCidrs: string[]
  /** Names to addresses; tests bring their own. */
  resolve?: (name: string) => Promise<string[]>
  /** For the whole attempt, from the question for the name to the end of the answer. */
  patienceMilliseconds?: number
}

export type OutboundHttp = ReturnType<typeof createOutboundHttp>

/** HTTP to addresses that senders chose. Connects to public unicast and to what the operator allows, and to nothing else. */
export function createOutboundHttp(options: OutboundOptions) {
  const { allowedCidrs, resolve = resolveBySystem, patienceMilliseconds = longestPatience } = options
  const mayConnect = createAddressRule(allowedCidrs)

  /** One answer for the whole name: if any of its addresses is refused, the name is. */
  const checkedLookup: LookupFunction = (name, options, callback) => {
    resolve(name).then(
      (addresses) => {
        if (addresses.length === 0) return callback(new Error('The name has no address.'), '')
        if (!addresses.every(mayConnect)) return callback(new AddressRefused(), '')
        const found = addresses.map((address) => ({ address, family: isIP(address) }))
        if (options.all) callback(null, found)
        else callback(null, found[0]!.address, found[0]!.family)
      },
      (error) => callback(error, ''),
    )
  }

  const connect = buildConnector({ lookup: checkedLookup, timeout: patienceMilliseconds })
  const agent = new Agent({
    connect(options, callback) {
      const host = options.hostname.replace(/^\[|\]$/g, '')
      // undici asks lookup for names only: addresses written out are judged here.
      if (isIP(host) !== 0 && !mayConnect(host)) return callback(new AddressRefused(), null)
      connect(options, (error, socket) => {
        if (error || !socket) return callback(error ?? new Error('No connection.'), null)
        if (mayConnect(socket.remoteAddress ?? '')) return callback(null, socket)
        socket.destroy()
        callback(new AddressRefused(), null)
      })
    },
    // A connection is used once: what one workspace's receiver does to it must not meet another's.
    pipelining: 0,
    maxResponseSize: answerBytes,
    headersTimeout: patienceMilliseconds,
    bodyTimeout: patienceMilliseconds,
  })

  async function post(
    url: string,
    headers: Record<string, string>,
    body: string,
    signal?: AbortSignal,
  ): Promise<Outcome> {
    const began = performance.now()
    const took = () => Math.round(performance.now() - began)
    const timeIsUp = AbortSignal.timeout(patienceMilliseconds)
    try {
      const response = await request(url, {
        method: 'POST',
        headers,
        body,
        dispatcher: agent,
        signal: signal ? AbortSignal.any([signal, timeIsUp]) : timeIsUp,
      })
      const answer = await readBeginning(response.body)
      const retryAfterSeconds = readRetryAfter(response.headers['retry-after'])
      return {
        status: response.statusCode,
        durationMilliseconds: took(),
        answer,
        ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      }
    } catch (error) {
      return { status: undefined, durationMilliseconds: took(), error: explain(error) }
    }

    function explain(error: unknown): string {
      if (timeIsUp.aborted) return `No answer within ${patienceMilliseconds / 1000} s.`
      if (error instanceof AddressRefused) return error.message
      const { code, message } = error as { code?: string; message?: string }
      return [code, message].filter(Boolean).join(': ').slice(0, 300) || 'The connection failed.'
    }
  }

  return { post, close: () => agent.close() }
}

export class AddressRefused extends Error {
  override name = 'AddressRefused'
  override message =
    'The address is not public. Callbacks go to public addresses, and to what CALLBACK_ALLOW_CIDRS names.'
}

async function resolveBySystem(name: string): Promise<string[]> {
  return (await systemLookup(name, { all: true })).map(({ address }) => address)
}

/** The status has come; an answer that is cut, endless or late changes nothing about it. */
async function readBeginning(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      if (size < keptBytes) chunks.push(chunk)
      size += chunk.length
    }
  } catch {
    // kept as far as it came
  }
  return Buffer.concat(chunks).subarray(0, keptBytes).toString('utf8').replaceAll('\0', '')
}

function readRetryAfter(header: string | string[] | undefined): number | undefined {
  const text = [header].flat()[0]
  if (text === undefined) return undefined
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : undefined
}
