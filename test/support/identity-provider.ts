import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { Provider } from 'oidc-provider'
import { callAs, type TestResponse } from './http.ts'

/** Who is signed in at the identity provider. */
export type Employee = {
  sub: string
  email?: string
  email_verified?: boolean | string
  name?: string
  amr?: string[]
}
type Tamper = (
  payload: JWTPayload,
  sign: (payload: JWTPayload) => Promise<string>,
) => string | Promise<string>

const client = { id: 'handrail', secret: 'secret of handrail & co' }

/** A real OpenID Connect provider on loopback. It signs in `employee` without asking. */
export async function startIdentityProvider() {
  let listener: RequestListener = (_, response) => void response.writeHead(503).end()
  const server = createServer((request, response) => listener(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = {
    issuer,
    employee: { sub: 'nobody' } as Employee,
    /** Changes the payload of ID tokens, or returns another token. */
    tamper: undefined as Tamper | undefined,
    /** Answers instead of the provider, for faults. */
    intercept: undefined as RequestListener | undefined,
    requests: [] as string[],
    environment: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: client.id,
      OIDC_CLIENT_SECRET: client.secret,
      OIDC_NAME: 'Acme ID',
    },
    /** For these services. Called again, it replaces the signing key. */
    async serve(...serviceUrls: string[]) {
      listener = await createListener(serviceUrls)
    },
    stop: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  }

  async function createListener(serviceUrls: string[]): Promise<RequestListener> {
    const { privateKey } = await generateKeyPair('RS256', { extractable: true })
    const kid = `key ${Math.random()}`
    const oidc = new Provider(issuer, {
      clients: [
        {
          client_id: client.id,
          client_secret: client.secret,
          redirect_uris: serviceUrls.map((url) => `${url}/single-sign-on`),
        },
      ],
      jwks: { keys: [{ ...(await exportJWK(privateKey)), kid, alg: 'RS256', use: 'sig' }] },
      claims: { openid: ['sub', 'amr'], email: ['email', 'email_verified'], profile: ['name'] },
      // Otherwise it prints a notice for each.
      ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
      cookies: { keys: ['a key of the test'] },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_: unknown, accountId: string) => ({
        accountId,
        claims: () => ({ ...provider.employee, sub: accountId }),
      }),
      async loadExistingGrant({ oidc: { session } }: { oidc: { session: { accountId: string } } }) {
        const grant = new oidc.Grant({ accountId: session.accountId, clientId: client.id })
        grant.addOIDCScope('openid email profile')
        await grant.save()
        return grant
      },
    })
    oidc.use(async (context, next) => {
      await next()
      const { id_token: token } = context.body ?? {}
      if (context.path !== '/token' || typeof token !== 'string' || !provider.tamper) return
      const payload = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
      const sign = (changed: JWTPayload) =>
        new SignJWT(changed).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey)
      context.body = { ...context.body, id_token: await provider.tamper(payload, sign) }
    })
    const handle = oidc.callback()
    return (request, response) => {
      provider.requests.push(`${request.method} ${request.url}`)
      if (provider.intercept) return provider.intercept(request, response)
      if (!request.url!.startsWith('/interaction/')) return void handle(request, response)
      const { sub: accountId, amr } = provider.employee
      void oidc.interactionFinished(request, response, { login: { accountId, ...(amr && { amr }) } })
    }
  }

  return provider
}

export type TestIdentityProvider = Awaited<ReturnType<typeof startIdentityProvider>>

/** A browser that signs in with single sign-on, step by step. */
export function openBrowser(serviceUrl: string) {
  const jar = new Map<string, string>()
  const remember = (headers: Headers) => {
    for (const line of headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      if (value === '' || /max-age=0\b/i.test(line)) jar.delete(name!)
      else jar.set(name!, value!)
    }
  }
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
  async function post(path: string, body: unknown = {}): Promise<TestResponse> {
    const response = await callAs(serviceUrl, { cookie: cookie(), origin: serviceUrl }).post(path, body)
    remember(response.headers)
    return response
  }
  const browser = {
    jar,
    cookie,
    post,
    get: (path: string) => callAs(serviceUrl, { cookie: cookie() }).get(path),
    /** Returns the query string with which the identity provider sends the person back. */
    async visitProvider(): Promise<string> {
      const started = await post('/single-sign-on')
      if (started.status !== 200) throw new Error(`not started: ${JSON.stringify(started.body)}`)
      const provider = new Map<string, string>()
      let url = new URL(started.body.redirectTo)
      while (!url.href.startsWith(`${serviceUrl}/`)) {
        const cookies = [...provider].map(([name, value]) => `${name}=${value}`).join('; ')
        const response = await fetch(url, { redirect: 'manual', headers: { cookie: cookies } })
        for (const line of response.headers.getSetCookie()) {
          const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
          provider.set(name!, value!)
        }
        const location = response.headers.get('location')
        if (!location) throw new Error(`${url.pathname}: ${response.status} ${await response.text()}`)
        url = new URL(location, url)
      }
      return url.search.slice(1)
    },
    complete: (query: string) => post('/single-sign-on/complete', { query }),
    /** The whole sign-in, up to the password of an existing account. */
    signIn: async () => await browser.complete(await browser.visitProvider()),
  }
  return browser
}
