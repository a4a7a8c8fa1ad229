import { getConnInfo } from '@hono/node-server/conninfo'
import { type Context, Hono } from 'hono'
import { DomainProblem, notFound, routeNotFound } from '../domain/problems.ts'
import { readClientAddress } from '../lib/client-address.ts'
import { newRequestId } from '../lib/ids.ts'
import { sameText } from '../lib/same-text.ts'
import { type ApiOptions, createApi, type Environment } from './api.ts'
import { docsPage, docsStyle } from './docs-page.ts'
import { createFixedDocument } from './fixed-document.ts'
import { health } from './health.ts'
import { createInternal, createInternalCheck, type InternalOptions } from './internal.ts'
import { openApiDocument } from './openapi.ts'
import { problemResponse, toDomainProblem } from './problem.ts'
import { signIn } from './sign-in.ts'
import { createWebFiles } from './web-files.ts'

export type AppOptions = Omit<ApiOptions, 'clientAddress' | 'isInternal'> &
  InternalOptions & {
    internalToken: string
    /** undefined: this process runs no jobs. */
    jobsAreWell: (() => boolean) | undefined
    version: string
    /** The path of PUBLIC_URL, without a slash at the end. */
    basePath: string
    trustProxy: number
    metricsToken: string | undefined
    webFolder: string
  }

/** Everything that programs and people reach, mounted beneath the path of PUBLIC_URL. */
export function createApp(options: AppOptions): Hono<Environment> {
  const { service, version, basePath } = options
  const isInternal = createInternalCheck(options.internalToken)
  const clientAddress = (context: Context) => {
    // Our own MCP door passes on where its caller came from.
    const passedOn = context.req.header('handrail-client-address')
    if (passedOn !== undefined && isInternal(context.req.raw.headers)) return passedOn.slice(0, 64)
    return readClientAddress(context.req.raw.headers, socketAddress(context), options.trustProxy)
  }
  const web = createWebFiles(options.webFolder, basePath)
  const openApi = createFixedDocument('application/json', () =>
    JSON.stringify(openApiDocument(service.publicUrl, version)),
  )
  const docs = createFixedDocument('text/html; charset=utf-8', () =>
    docsPage(service.publicUrl, version, basePath),
  )
  const root = new Hono<Environment>()
  root.use(observe)
  const app = basePath === '' ? root : root.basePath(basePath)

  app.get('/health', () => health(service, version, options.jobsAreWell))
  app.get('/metrics', (context) => metrics(context))
  app.all('/api/auth/*', async (context) => {
    const { requestId } = context.get('facts')
    try {
      const path = new URL(context.req.url).pathname.slice(`${basePath}/api/auth`.length)
      return await signIn(options, context.req.raw, path, clientAddress(context))
    } catch (error) {
      return failed(error, requestId)
    }
  })
  app.get('/api/v1/openapi.json', (context) => openApi(context.req.raw))
  app.route('/api/v1', createApi({ ...options, clientAddress, isInternal }))
  app.route('/internal', createInternal(options, isInternal))
  app.all('/api/*', (context) => {
    const { method, path } = context.req
    const detail = `There is no ${method} ${path.slice(0, 200)}. All addresses are listed at ${basePath}/docs.`
    return problemResponse(new DomainProblem('not_found', detail), context.get('facts').requestId)
  })
  app.get('/docs', (context) => docs(context.req.raw))
  app.get(
    '/docs/style.css',
    () => new Response(docsStyle, { headers: { 'content-type': 'text/css; charset=utf-8' } }),
  )
  app.get('/assets/:name', async (context) => {
    const found = await web.respondWithAsset(
      context.req.param('name'),
      context.req.header('accept-encoding') ?? '',
    )
    return found ?? problemResponse(notFound('file'), context.get('facts').requestId)
  })
  app.get('/:name', (context) => web.respondWithFile(context.req.param('name')) ?? web.respondWithPage())
  app.get('/*', () => web.respondWithPage())
  root.notFound((context) => problemResponse(routeNotFound(), context.get('facts').requestId))
  root.onError((error, context) => failed(error, context.get('facts').requestId))
  return root

  /** Request id, log line and metrics, once a request. */
  async function observe(context: Context<Environment>, next: () => Promise<void>): Promise<void> {
    const began = performance.now()
    const facts = { requestId: newRequestId() }
    context.set('facts', facts)
    await next()
    const headers = context.res.headers
    headers.set('x-request-id', facts.requestId)
    if (service.draining.aborted) headers.set('connection', 'close')
    const { route = 'other', actor, workspaceId, long } = context.get('facts')
    const milliseconds = Math.round((performance.now() - began) * 10) / 10
    const { method } = context.req
    const status = context.res.status
    if (!long)
      service.metrics.requests.observe({ method, route, status: String(status) }, milliseconds / 1000)
    // Pages, assets and health checks are not worth a line each.
    const level = status >= 500 ? 'error' : route === 'other' ? 'debug' : 'info'
    service.log[level](
      {
        requestId: facts.requestId,
        method,
        path: context.req.path,
        status,
        ms: milliseconds,
        actor,
        workspaceId,
      },
      'request',
    )
  }

  async function metrics(context: Context<Environment>): Promise<Response> {
    const given = /^Bearer (.+)$/.exec(context.req.header('authorization') ?? '')?.[1]
    if (!options.metricsToken || given === undefined || !sameText(given, options.metricsToken)) {
      return problemResponse(routeNotFound(), context.get('facts').requestId)
    }
    const { registry } = service.metrics
    return new Response(await registry.metrics(), { headers: { 'content-type': registry.contentType } })
  }

  function failed(error: unknown, requestId: string): Response {
    const problem = toDomainProblem(error)
    if (problem.code === 'internal') service.log.error({ err: error, requestId }, 'a request failed')
    return problemResponse(problem, requestId)
  }
}

function socketAddress(context: Context): string | undefined {
  try {
    return getConnInfo(context).remote.address
  } catch {
    // A call inside the process has no socket.
    return undefined
  }
}
