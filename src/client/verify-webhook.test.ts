import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ts from 'typescript'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { verifyWebhook, WebhookNotVerified } from './verify-webhook.ts'

type Call = { secret: string; id: string; timestamp: number; body: string; signature: string }

/** Signed with openssl as in docs/webhooks.md. The last one is published by Standard Webhooks. */
const vectors: Call[] = [
  {
    secret: 'whsec_9bOrOh6IQzaw/vimqEDV8+ARzzFCMLDTiQgg4ZbRgJ4=',
    id: 'evt_01k9aaaaaaaaaaaaaaaaaaaaaa',
    timestamp: 1763199000,
    body: '{"eventId":"evt_01k9aaaaaaaaaaaaaaaaaaaaaa","type":"service/test","sentAt":"2025-11-15T09:30:00.000Z"}',
    signature: 'YNHb+nNhhMpsoIl8fFUAs+VcF25W/wGznwHaPIAJNsU=',
  },
  {
    secret: 'whsec_Us5fAZuIyCNfcLBumqo3nST7ZmJETKuS',
    id: 'evt_01k9bbbbbbbbbbbbbbbbbbbbbb',
    timestamp: 1763199001,
    body: String.raw`{"type":"service/task_handled","action":{"data":{"reason":"Größe – 漢字 🙂\n\"quoted\" \u0000"}}}`,
    signature: 'EzosYZvB3oBjeqsmXRTZPJntpZkhiOXUjtXngIyZ/Gk=',
  },
  {
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1614265330,
    body: '{"test": 2432232314}',
    signature: 'g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
]

const headersOf = ({ id, timestamp, signature }: Call) => ({
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': `v1,${signature}`,
})

describe('a receiver can verify that a callback is from its Handrail', () => {
  const call = vectors[0]!
  const headers = headersOf(call)
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: call.timestamp * 1000 })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
  const refused = (input: Parameters<typeof verifyWebhook>) =>
    expect(verifyWebhook(...input)).rejects.toBeInstanceOf(WebhookNotVerified)

  test.each(vectors)('$id, signed by openssl, returns the event', async (vector) => {
    vi.setSystemTime(vector.timestamp * 1000)
    expect(await verifyWebhook(headersOf(vector), vector.body, vector.secret)).toEqual(
      JSON.parse(vector.body),
    )
  })

  test('headers may be a Headers object, in any case, or lists', async () => {
    const upperCase = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
    )
    const lists = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]))
    const twice = { ...headers, 'webhook-signature': ['v1,AAAA', headers['webhook-signature']] }
    for (const input of [new Headers(headers), upperCase, lists, twice])
      expect(await verifyWebhook(input, call.body, call.secret)).toMatchObject({ type: 'service/test' })
  })

  test('a secret works without its prefix', async () => {
    const bare = call.secret.replace('whsec_', '')
    expect(await verifyWebhook(headers, call.body, bare)).toMatchObject({ type: 'service/test' })
  })

  test('one valid signature among several is enough', async () => {
    const other = vectors[1]!.signature
    for (const line of [
      `v1,${other} v1,${call.signature}`,
      `v1,${call.signature} v1,${other}`,
      `v1a,${other} v2,x v1,not*base64 v1, v1 v1,${call.signature}`,
    ])
      expect(
        await verifyWebhook({ ...headers, 'webhook-signature': line }, call.body, call.secret),
      ).toMatchObject({ type: 'service/test' })
  })

  test.each(['', 'v1', 'v1,', 'v1,AAAA', 'v1,not*base64', 'v2,S', 'v1a,S', 'S', 'V1,S', `v1,S2`])(
    'the signature %j is refused',
    async (line) => {
      const signature = line.replace('S2', vectors[1]!.signature).replace('S', call.signature)
      await refused([{ ...headers, 'webhook-signature': signature }, call.body, call.secret])
    },
  )

  test('another secret, body, id or timestamp is refused', async () => {
    await refused([headers, call.body, vectors[1]!.secret])
    await refused([headers, `${call.body} `, call.secret])
    await refused([headers, call.body.replace('test', 'Test'), call.secret])
    await refused([{ ...headers, 'webhook-id': 'evt_01k9aaaaaaaaaaaaaaaaaaaaab' }, call.body, call.secret])
    await refused([{ ...headers, 'webhook-timestamp': String(call.timestamp + 1) }, call.body, call.secret])
  })

  test.each([-301, 301])('a timestamp %i s off is refused, five minutes are accepted', async (seconds) => {
    vi.setSystemTime((call.timestamp + seconds) * 1000)
    await refused([headers, call.body, call.secret])
    vi.setSystemTime((call.timestamp + Math.sign(seconds) * 300) * 1000)
    await verifyWebhook(headers, call.body, call.secret)
  })

  test.each(['', 'soon', '1e9', '-1', `${call.timestamp}.5`, ` ${call.timestamp}`])(
    'the timestamp %j is refused',
    async (timestamp) => {
      await refused([{ ...headers, 'webhook-timestamp': timestamp }, call.body, call.secret])
    },
  )

  test.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('%s is required', async (name) => {
    for (const missing of [undefined, '', []])
      await expect(verifyWebhook({ ...headers, [name]: missing }, call.body, call.secret)).rejects.toThrow(
        `The header ${name} is missing.`,
      )
    const left = new Headers(headers)
    left.delete(name)
    await refused([left, call.body, call.secret])
  })

  test.each([undefined, '', 'whsec_', 'whsec_not*base64'])(
    '%j is not a secret, which is an error of the receiver',
    async (secret) => {
      // Without types, the secret may be a variable of the environment that is not set.
      await expect(verifyWebhook(headers, call.body, secret as string)).rejects.toThrow(
        'The secret is not a webhook secret of Handrail.',
      )
    },
  )

  test('a body that was parsed is named as a possible cause', async () => {
    await expect(verifyWebhook(headers, JSON.parse(call.body) as string, call.secret)).rejects.toThrow(
      'Check the secret, and that the body is the raw text of the request.',
    )
  })
})

describe('the examples in docs/webhooks.md work', () => {
  const page = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8')
  const blockOf = (language: string) => {
    const block = new RegExp(`^\`\`\`${language}\n([\\s\\S]+?)^\`\`\`$`, 'm').exec(page)?.[1]
    if (!block) throw new Error(`The page has no ${language} block.`)
    return block
  }
  const folder = mkdtempSync(join(tmpdir(), 'handrail-docs-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const isInstalled = (program: string, argument: string) => spawnSync(program, [argument]).status === 0
  const body = vectors[1]!.body
  const { secret } = vectors[1]!
  const now = Math.floor(Date.now() / 1000)

  /** Runs the shell example of the page. */
  function signByOpenssl(text: string, id: string, timestamp: number): string {
    writeFileSync(join(folder, 'body.json'), text)
    const { stdout, stderr } = spawnSync('sh', ['-c', blockOf('sh')], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, SECRET: secret, WEBHOOK_ID: id, WEBHOOK_TIMESTAMP: String(timestamp) },
    })
    expect(stderr).toBe('')
    return stdout.trim()
  }

  test.skipIf(!isInstalled('openssl', 'version'))('openssl signs what verifyWebhook accepts', async () => {
    for (const text of [body, '{}', JSON.stringify({ long: 'é'.repeat(50_000) })]) {
      const call = {
        secret,
        id: 'evt_1',
        timestamp: now,
        body: text,
        signature: signByOpenssl(text, 'evt_1', now),
      }
      expect(await verifyWebhook(headersOf(call), text, secret)).toEqual(JSON.parse(text))
    }
    const { id, timestamp, signature } = vectors[1]!
    expect(signByOpenssl(body, id, timestamp)).toBe(signature)
  })

  test.skipIf(!isInstalled('python3', '--version'))('Python accepts valid requests only', async () => {
    const sign = async (timestamp: number, text = body) => {
      const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64')
      const usage = { name: 'HMAC', hash: 'SHA-256' }
      const key = await crypto.subtle.importKey('raw', bytes, usage, false, ['sign'])
      const signed = await crypto.subtle.sign('HMAC', key, Buffer.from(`evt_1.${timestamp}.${text}`))
      return `v1,${Buffer.from(signed).toString('base64')}`
    }
    const right = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(now),
      'webhook-signature': await sign(now),
    }
    const cases: [expected: boolean, headers: Record<string, string>, text: string, secret: string][] = [
      [true, right, body, secret],
      [true, { ...right, 'webhook-signature': `v1,AAAA v1a,x ${right['webhook-signature']}` }, body, secret],
      [false, right, `${body} `, secret],
      [false, right, body, vectors[0]!.secret],
      [false, { ...right, 'webhook-id': 'evt_2' }, body, secret],
      [false, { ...right, 'webhook-signature': 'v1,é' }, body, secret],
      [false, { ...right, 'webhook-timestamp': 'soon' }, body, secret],
      [
        false,
        { ...right, 'webhook-timestamp': String(now - 400), 'webhook-signature': await sign(now - 400) },
        body,
        secret,
      ],
    ]
    const script = `${blockOf('python')}
import json, sys
print(json.dumps([verify(h, t.encode(), s) for _, h, t, s in json.load(sys.stdin)]))`
    const { stdout, stderr } = spawnSync('python3', ['-X', 'utf8', '-c', script], {
      input: JSON.stringify(cases),
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual(cases.map(([expected]) => expected))
  })

  test('the TypeScript example passes the event on', async () => {
    const code = ts.transpileModule(blockOf('ts').replace(/^import .*$|^export /gm, ''), {
      compilerOptions: { target: ts.ScriptTarget.ESNext },
    }).outputText
    const received: unknown[] = []
    const names = ['verifyWebhook', 'process', 'proceed']
    const proceed = (...args: unknown[]) => received.push(args)
    const env = { HANDRAIL_WEBHOOK_SECRET: secret }
    const handler = new Function(...names, `${code}; return POST`)(verifyWebhook, { env }, proceed)
    vi.useFakeTimers({ toFake: ['Date'], now: vectors[1]!.timestamp * 1000 })
    try {
      const url = 'http://localhost/handrail'
      const response = await handler(
        new Request(url, { method: 'POST', headers: headersOf(vectors[1]!), body }),
      )
      expect(response.status).toBe(204)
    } finally {
      vi.useRealTimers()
    }
    expect(received).toEqual([[undefined, JSON.parse(body).action]])
  })
})
