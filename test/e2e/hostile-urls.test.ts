import { describe, expect, test, vi } from 'vitest'
import { setUpHostileTests } from '../support/hostile-tests.ts'
import { sendRaw } from '../support/raw-http.ts'

describe('hostile URLs and headers get a clear 4xx', () => {
  const target = setUpHostileTests()

  describe('in addresses and headers', () => {
    test.each(
      [
        '/tasks/%00',
        '/tasks/tsk_%00123456789abcdefghjkmnpqr',
        '/tasks/%ff%fe',
        '/tasks/%E0%A4%A',
        '/tasks/%',
        '/tasks/..%2f..%2fetc%2fpasswd',
        `/tasks/${'x'.repeat(4_000)}`,
        '/tasks?cursor=%00',
        '/tasks?cursor=%ff',
        '/tasks?cursor=W10',
        `/tasks?cursor=${Buffer.from('["2026-02-31T25:61:61.000Z","x"]').toString('base64url')}`,
        `/tasks?cursor=${Buffer.from('["9999-99-99T99:99:99.999Z","x"]').toString('base64url')}`,
        `/tasks?cursor=${Buffer.from('["2026-01-01T00:00:00.000Z","\\u0000"]').toString('base64url')}`,
        `/tasks?cursor=${Buffer.from('["2026-01-01T00:00:00.000Z",{}]').toString('base64url')}`,
        `/tasks?cursor=${'x'.repeat(401)}`,
        '/tasks?limit=ten',
        '/tasks?limit=1&limit=2',
        '/tasks?status=open&status=handled',
        '/tasks?createdAfter=yesterday',
        '/tasks?createdAfter=2026-02-31T00:00:00Z',
        '/tasks?createdAfter=%00',
        '/tasks?createdAfter=0000-01-01T00:00:00Z',
        '/tasks?createdBefore=9999-12-31T23:59:59-01:00',
        '/tasks?app=%00',
        '/tasks?__proto__=1',
        '/tasks?__proto__[x]=1',
        '/tasks?wanted=all',
        '/tasks/search',
        '/tasks/search?query=%00',
        '/tasks/search?query=%20',
        `/tasks/search?query=${'x'.repeat(201)}`,
        '/inbox?cursor=W10',
        '/inbox/events?after=x',
        '/inbox/events?after=99999999999.1.1',
        '/threads/%00/timeline',
        '/threads/x/timeline?cursor=x',
        '/audit?cursor=x',
      ].map((path) => [path.slice(0, 90), path]),
    )('GET %s', async (_, path) => {
      const response = await target.owner.get(path!)
      expect(response.status).toBe(400)
      expect(response.body).toMatchObject({ code: 'invalid_request', errors: expect.any(Array) })
      expect(response.body.errors[0].path).not.toBe('')
    })

    test('timestamps in any time zone and unusual but valid cursors are accepted', async () => {
      for (const query of [
        'createdAfter=2026-01-01T00:00:00%2B23:00',
        'createdAfter=0001-01-01T00:00:00Z',
        'createdBefore=9999-12-31T23:59:59.999999Z',
        `cursor=${Buffer.from('["0001-01-01T00:00:00.000Z","\u{1f600}"]').toString('base64url')}`,
        'limit=0',
        'limit=-5',
        'limit=999999999',
      ]) {
        expect((await target.owner.get(`/tasks?${query}`)).status, query).toBe(200)
      }
    })

    test('thousands of parameters in a query or a form are read in one pass', async () => {
      const names = Array.from({ length: 4_000 }, (_, n) => n.toString(36)).join('&')
      const searches = vi.spyOn(URLSearchParams.prototype, 'getAll')
      try {
        expect((await fetch(`${target.url}/api/v1/setup?${names}`)).status).toBe(400)
        const form = await fetch(`${target.url}/api/auth/oauth2/token`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: names,
        })
        expect(form.status).toBe(401)
        expect(searches.mock.calls.length).toBeLessThan(100)
      } finally {
        searches.mockRestore()
      }
    })

    test('bytes that are invalid in a URL', async () => {
      const odd = ['/\xff', '/tasks/\xe4', '/tasks?cursor=\xfc', '/tasks/a b', '//', '/\\..\\', '/%2e%2e/x']
      for (const path of odd) {
        const bytes = Buffer.from(
          `GET /api/v1${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
          'latin1',
        )
        const { status } = await sendRaw(target.url, bytes)
        expect(status, path).toBeGreaterThanOrEqual(400)
        expect(status, path).toBeLessThan(500)
      }
    })

    test('headers of 64 KiB, and a thousand headers', async () => {
      const large = `GET /api/v1/me HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(65_536)}\r\n\r\n`
      expect((await sendRaw(target.url, large)).status).toBe(431)
      const many = Array.from({ length: 1_000 }, (_, n) => `X-Number-${n}: ${'x'.repeat(20)}\r\n`).join('')
      expect((await sendRaw(target.url, `GET /api/v1/me HTTP/1.1\r\nHost: x\r\n${many}\r\n`)).status).toBe(
        431,
      )
    })

    test('a missing Host header, and conflicting body lengths', async () => {
      expect((await sendRaw(target.url, 'GET /api/v1/me HTTP/1.1\r\n\r\n')).status).toBe(400)
      const smuggled =
        'POST /api/v1/tasks HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /health'
      expect((await sendRaw(target.url, smuggled)).status).toBe(400)
    })
  })

  target.testHealth()
})
