import { lookup as systemLookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Agent, buildConnector, request } from 'undici'

const longestPatience = 15_000
const answerBytes = 64 * 1024
const keptBytes = 1024

/** Public by its range, yet the host of a cloud answers there. */
const deniedThough = ['168.63.129.16']
/** All of IPv6 that was ever given out. What lies outside has no range of its own, such as IPv4 in ::/96. */
const publicIpv6 = ipaddr.IPv6.parseCIDR('2000::/3')

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
  const allowed = allowedCidrs.map((cidr) => ipaddr.parseCIDR(cidr))

  function mayConnect(address: string): boolean {
    const plain = readAddress(address)
    if (!plain) return false
    if (
      allowed.some(
        ([network, bits]) => network.kind() === plain.kind() && plain.match(network as never, bits),
      )
    )
      return true
    if (plain instanceof ipaddr.IPv6 && !plain.match(publicIpv6)) return false
    return plain.range() === 'unicast' && !deniedThough.includes(plain.toString())
  }

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

  return { post, mayConnect, close: () => agent.close() }
}

export class AddressRefused extends Error {
  override name = 'AddressRefused'
  override message =
    'The address is not public. Callbacks go to public addresses, and to what CALLBACK_ALLOW_CIDRS names.'
}

/** IPv4 mapped into IPv6 is the IPv4 address it is. */
function readAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (isIP(text) === 4) return ipaddr.IPv4.parse(text)
  if (isIP(text) !== 6) return undefined
  // Written anew first: ipaddr.js takes ::127.0.0.1 for the mapped ::ffff:127.0.0.1, the system does not.
  const url = `http://[${text}]/`
  return URL.canParse(url) ? ipaddr.process(new URL(url).hostname.slice(1, -1)) : undefined
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
