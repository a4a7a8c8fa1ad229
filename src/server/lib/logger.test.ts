import { expect, test } from 'vitest'
import { createLogger } from './logger.ts'

function logged(write: (log: ReturnType<typeof createLogger>) => void, level = 'trace') {
  const lines: string[] = []
  write(createLogger(level, { write: (line) => void lines.push(line) }))
  return lines
}

const key = 'hrl_0123456789ABCDEFGHIJKLMNOPQRSTUV012345'
const webhookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw+/x='

test('a line is JSON with level, time and message, and nothing about the machine', () => {
  const [line] = logged((log) => log.info({ requestId: 'req_1', status: 200 }, 'request'))
  expect(JSON.parse(line!)).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    requestId: 'req_1',
    status: 200,
    msg: 'request',
  })
})

test('lines below the level are not written', () => {
  expect(logged((log) => log.info('quiet'), 'warn')).toEqual([])
})

test.each([
  [
    'the headers of a request',
    { headers: { authorization: `Bearer ${key}`, 'x-api-key': key, cookie: 'a=hush' } },
  ],
  ['headers at the top', { authorization: 'Bearer hush', 'x-api-key': 'hush', cookie: 'hush' }],
  ['a body', { body: { password: 'hush', newPassword: 'hush', token: 'hush', email: 'e' } }],
  ['a fresh key', { made: { apiKey: 'hush', key: 'hush', webhookSecret: 'hush', secret: 'hush' } }],
  ['fields at the top', { apiKey: 'hush', password: 'hush', token: 'hush', secret: 'hush', link: 'hush' }],
])('%s is not shown', (_, fields) => {
  const [line] = logged((log) => log.info(fields, 'something'))
  expect(line).toContain('[redacted]')
  expect(line).not.toContain('hush')
  expect(line).not.toContain(key)
})

test('keys, secrets, session cookies and passwords in addresses are cut out of any text', () => {
  const texts = [
    `the key ${key} was used`,
    `sealed ${webhookSecret} for it`,
    'cookie: handrail.session_token=hush.hush%2Bhush; Path=/',
    'connect to postgres://someone:hush@db.example/handrail failed',
  ]
  for (const text of texts) {
    const lines = logged((log) => {
      log.warn(text)
      log.warn({ deep: { er: { est: [text] } } }, 'nested')
      log.warn({ err: new Error(text) }, 'failed')
    })
    expect(lines).toHaveLength(3)
    for (const line of lines) {
      expect(line).toContain('[redacted]')
      expect(line).not.toMatch(/hush|0123456789ABC|MfKQ9r8/)
      expect(() => JSON.parse(line)).not.toThrow()
    }
  }
})

test('of an error its kind, message and stack are kept, and what the database says about its data is not', () => {
  const error = Object.assign(new TypeError('duplicate key'), {
    code: '23505',
    detail: 'Key (email)=(olga@example.com) already exists.',
    parameters: ['olga@example.com'],
  })
  const [line] = logged((log) => log.error({ err: error }, 'failed'))
  expect(JSON.parse(line!).err).toEqual({
    type: 'TypeError',
    message: 'duplicate key',
    code: '23505',
    stack: expect.stringContaining('logger.test.ts'),
  })
  expect(line).not.toContain('olga')
  expect(JSON.parse(logged((log) => log.error({ err: 'just text' }, 'failed'))[0]!).err).toEqual({
    message: 'just text',
  })
})

test('an error is logged with its causes, a few levels deep', () => {
  const reason = Object.assign(new Error('The backend responded with 401.'), { detail: 'Key (olga)' })
  const error = new Error('The service could not be reached.', { cause: reason })
  const [line] = logged((log) => log.warn({ err: error }, 'failed'))
  const cause = { type: 'Error', message: reason.message, stack: expect.any(String) }
  expect(JSON.parse(line!).err).toEqual({ ...cause, message: error.message, cause })
  expect(line).not.toContain('olga')
  error.cause = error
  const [circular] = logged((log) => log.warn({ err: error }, 'failed'))
  expect(circular!.match(/"cause":/g)).toHaveLength(3)
})
