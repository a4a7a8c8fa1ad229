import { lookup as systemLookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector, request } from 'undici'
import { createAddressRule } from './address-rule.ts'
import { joinSignals } from './joined-signal.ts'
import { readRetryAfter } from './retry-after.ts'

const defaultTimeoutMilliseconds = 15_000
const maxResponseBytes = 64 * 1024
const storedResponseBytes = 1024

/** One attempt to send something. */
export type Attempt = {
  /** The response's status. Undefined if there was no response. */
  status: number | undefined
  retryAfterSeconds?: number
  durationMilliseconds: number
  error?: string
  /** The first KiB of the response body. */
  responseBody?: string
}

export type OutboundOptions = {
  /** Networks that the operator allows in addition to public addresses, such as 10.1.2.0/24. */
  allowedCidrs: string[]
  /** Resolves a host name; tests replace it. */
  resolve?: (name: string) => Promise<string[]>
  /** For the whole attempt, from name resolution to the end of the response. */
  timeoutMilliseconds?: number
}

export type DocumentLimits = { maxBytes: number; timeoutMilliseconds: number }

export type OutboundHttp = ReturnType<typeof createOutboundHttp>

/**
 * HTTP to URLs that people and senders choose. Connects only to public unicast addresses and to
 * what the operator allows.
 */
export function createOutboundHttp(options: OutboundOptions) {
  const {
    allowedCidrs,
    resolve = resolveBySystem,
    timeoutMilliseconds = defaultTimeoutMilliseconds,
  } = options
  const mayConnect = createAddressRule(allowedCidrs)

  /** Resolves a host name. Refuses it if any of its addresses is refused. */
  const checkedLookup: LookupFunction = (name, options, callback) => {
    resolve(name).then(
      (addresses) => {
        if (addresses.length === 0) return callback(new Error('The host name has no address.'), '')
        if (!addresses.every(mayConnect)) return callback(new AddressRefused(), '')
        const found = addresses.map((address) => ({ address, family: isIP(address) }))
        if (options.all) callback(null, found)
        else callback(null, found[0]!.address, found[0]!.family)
      },
      (error) => callback(error, ''),
    )
  }

  const connect = buildConnector({ lookup: checkedLookup, timeout: timeoutMilliseconds })
  const agent = new Agent({
    connect(options, callback) {
      const host = options.hostname.replace(/^\[|\]$/g, '')
      // undici calls lookup only for names, so literal addresses are checked here.
      if (isIP(host) !== 0 && !mayConnect(host)) return callback(new AddressRefused(), null)
      connect(options, (error, socket) => {
        if (error || !socket) return callback(error ?? new Error('No connection.'), null)
        if (mayConnect(socket.remoteAddress ?? '')) return callback(null, socket)
        socket.destroy()
        callback(new AddressRefused(), null)
      })
    },
    // Connections are not reused, so that one workspace's receiver cannot affect another's.
    pipelining: 0,
    maxResponseSize: maxResponseBytes,
    headersTimeout: timeoutMilliseconds,
    bodyTimeout: timeoutMilliseconds,
  })

  async function post(
    url: string,
    headers: Record<string, string>,
    body: string | Uint8Array,
    signal?: AbortSignal,
  ): Promise<Attempt> {
    const startedAt = performance.now()
    const elapsedMilliseconds = () => Math.round(performance.now() - startedAt)
    const timeoutSignal = AbortSignal.timeout(timeoutMilliseconds)
    const joined = joinSignals(timeoutSignal, ...(signal ? [signal] : []))
    try {
      const response = await request(url, {
        method: 'POST',
        headers,
        body,
        dispatcher: agent,
        signal: joined.signal,
      })
      const responseBody = await readStart(response.body)
      const retryAfterSeconds = readRetryAfter([response.headers['retry-after']].flat()[0])
      return {
        status: response.statusCode,
        durationMilliseconds: elapsedMilliseconds(),
        responseBody,
        ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
      }
    } catch (error) {
      return { status: undefined, durationMilliseconds: elapsedMilliseconds(), error: explain(error) }
    } finally {
      joined.release()
    }

    function explain(error: unknown): string {
      if (timeoutSignal.aborted) return `No response within ${timeoutMilliseconds / 1000} s.`
      if (error instanceof AddressRefused) return error.message
      const { code, message } = error as { code?: string; message?: string }
      return [code, message].filter(Boolean).join(': ').slice(0, 300) || 'The connection failed.'
    }
  }

  /** Reads a document of at most `maxBytes`. A redirect is an error. */
  async function get(
    url: string,
    { maxBytes, timeoutMilliseconds }: DocumentLimits,
  ): Promise<{ text: string } | { error: string }> {
    const timeoutSignal = AbortSignal.timeout(timeoutMilliseconds)
    try {
      const response = await request(url, {
        headers: { accept: 'application/json' },
        dispatcher: agent,
        signal: timeoutSignal,
      })
      const text = await readWhole(response.body, maxBytes)
      if (response.statusCode !== 200) return { error: `The response was ${response.statusCode}.` }
      return text === undefined ? { error: `It is larger than ${maxBytes} bytes.` } : { text }
    } catch (error) {
      if (timeoutSignal.aborted) return { error: `No response within ${timeoutMilliseconds / 1000} s.` }
      // The cause is left out: whoever connects an app reads this, and would learn what runs in
      // networks that the operator allows.
      return { error: error instanceof AddressRefused ? error.message : 'The connection failed.' }
    }
  }

  return { post, get, close: () => agent.close() }
}

export class AddressRefused extends Error {
  override name = 'AddressRefused'
  override message =
    'The address is not public. Use a public address, or ask the operator to allow it with CALLBACK_ALLOW_CIDRS.'
}

async function resolveBySystem(name: string): Promise<string[]> {
  return (await systemLookup(name, { all: true })).map(({ address }) => address)
}

/** The status already counts, so a truncated, endless or slow body is not an error. */
async function readStart(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      if (size < storedResponseBytes) chunks.push(chunk)
      size += chunk.length
    }
  } catch {
    // The part received so far is used.
  }
  return Buffer.concat(chunks).subarray(0, storedResponseBytes).toString('utf8').replaceAll('\0', '')
}

async function readWhole(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    // Leaving the loop closes the connection.
    if (size > maxBytes) return undefined
  }
  return Buffer.concat(chunks).toString('utf8')
}
