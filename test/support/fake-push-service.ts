import { createDecipheriv, createECDH, type ECDH, hkdfSync, randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { importJWK, type JWTPayload, jwtVerify } from 'jose'

export type PushMessage = {
  headers: IncomingHttpHeaders
  /** As it arrived, encrypted. */
  body: Buffer
  /** Decrypted with the browser's private key. */
  payload: { title: string; body: string; path: string; tag: string }
  /** Of the verified signature. */
  claims: JWTPayload
  /** The application server key of the sender. */
  key: string
}

type Browser = { curve: ECDH; auth: Buffer; messages: PushMessage[]; responses: Response[] }
type Response = { status: number; headers?: Record<string, string> }

/**
 * A push service, and the browsers that are subscribed to it. Written from RFC 8030, 8188, 8291 and
 * 8292, without the library that the service encrypts with. A message that cannot be decrypted, or
 * whose signature is wrong, gets 400.
 */
export async function startPushService() {
  const browsers = new Map<string, Browser>()
  const refused: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      const browser = browsers.get(request.url!)
      const { status, headers = {} } = browser
        ? (browser.responses.shift() ?? { status: 201 })
        : { status: 404 }
      try {
        if (browser)
          browser.messages.push(await read(browser, request.headers, Buffer.concat(chunks), origin))
        response.writeHead(status, headers).end(`response of ${request.url}`)
      } catch (error) {
        refused.push(String(error))
        response.writeHead(400).end()
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    origin,
    refused,
    /** A new browser. `responses` are given first, then 201. */
    subscribe() {
      const path = `/push/${randomBytes(16).toString('hex')}`
      const { subscription, ...secrets } = createSubscription(origin + path)
      const browser: Browser = { ...secrets, messages: [], responses: [] }
      browsers.set(path, browser)
      return { subscription, messages: browser.messages, responses: browser.responses }
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** What a browser sends to the service, and what it keeps. */
export function createSubscription(endpoint: string) {
  const curve = createECDH('prime256v1')
  curve.generateKeys()
  const auth = randomBytes(16)
  const keys = { p256dh: curve.getPublicKey('base64url'), auth: auth.toString('base64url') }
  return { curve, auth, subscription: { endpoint, keys } }
}

async function read(
  browser: Browser,
  headers: IncomingHttpHeaders,
  body: Buffer,
  origin: string,
): Promise<PushMessage> {
  if (headers['content-encoding'] !== 'aes128gcm') throw new Error('Not encrypted with aes128gcm.')
  const [, token, key] = headers.authorization!.match(/^vapid t=([^,]+), k=(\S+)$/)!
  const { payload: claims } = await jwtVerify(token!, await publicKey(key!), {
    audience: origin,
    algorithms: ['ES256'],
  })
  return { headers, body, payload: JSON.parse(decrypt(browser, body)), claims, key: key! }
}

async function publicKey(base64Url: string) {
  const point = Buffer.from(base64Url, 'base64url')
  const coordinate = (from: number) => point.subarray(from, from + 32).toString('base64url')
  return await importJWK({ kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33) }, 'ES256')
}

/** RFC 8291 for the keys, RFC 8188 for the record. */
function decrypt({ curve, auth }: Browser, body: Buffer): string {
  const salt = body.subarray(0, 16)
  const keyLength = body[20]!
  const senderKey = body.subarray(21, 21 + keyLength)
  const record = body.subarray(21 + keyLength)
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), curve.getPublicKey(), senderKey])
  const secret = derive(curve.computeSecret(senderKey), auth, keyInfo, 32)
  const key = derive(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const decipher = createDecipheriv('aes-128-gcm', key, nonce)
  decipher.setAuthTag(record.subarray(-16))
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
  // The last record ends with 2 and zeros.
  const end = padded.lastIndexOf(2)
  if (end === -1 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error('Wrong padding.')
  return padded.subarray(0, end).toString('utf8')
}

function derive(secret: Buffer, salt: Buffer, info: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, length))
}
