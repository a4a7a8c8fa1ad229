import { getConnInfo } from '@hono/node-server/conninfo'
import { type Context, Hono } from 'hono'
import { DomainProblem, routeNotFound } from '../domain/problems.ts'
import { readClientAddress } from '../lib/client-address.ts'
import { metricsResponse } from '../lib/metrics.ts'
import { sameText } from '../lib/same-text.ts'
import { sessionCookieName } from '../lib/session-cookie.ts'
import { type ApiOptions, createApi, type Environment } from './api.ts'
import { handleAuthRequest } from './auth.ts'
import { createClientFiles } from './client-files.ts'
import { docsPage, docsStyle } from './docs-page.ts'
import { createFixedDocument } from './fixed-document.ts'
import { health } from './health.ts'
import { createInternal, createInternalCheck, type InternalOptions } from './internal.ts'
import { authorizationServerMetadata, createOAuth, metadataPathOf } from './oauth.ts'
import { observeRequest } from './observe-request.ts'
import { openApiDocument } from './openapi.ts'
import { problemResponse, toDomainProblem } from './problem.ts'
import { createSlack } from './slack.ts'
import { handleUnsubscribe } from './unsubscribe.ts'
import { createWebFiles } from './web-files.ts'

export type AppOptions = Omit<ApiOptions, 'clientAddress' | 'isInternal'> &
  InternalOptions & {
    internalToken: string
    /** undefined if this process runs no jobs. */
    jobsAreHealthy: (() => boolean) | undefined
    version: string
    /** The path of PUBLIC_URL, without a trailing slash. */
    basePath: string
    trustProxy: number
    metricsToken: string | undefined
    webFolder: string
    clientsFolder: string
  }

/** REST, sign-in, docs and the web app, mounted below the path of PUBLIC_URL. */
export function createApp(options: AppOptions): Hono<Environment> {
  const { service, version, basePath } = options
  const isInternal = createInternalCheck(options.internalToken)
  const clientAddress = (context: Context) => {
    // Our own MCP entry point forwards the address of its caller.
    const forwarded = context.req.header('handrail-client-address')
    if (forwarded !== undefined && isInternal(context.req.raw.headers)) return forwarded.slice(0, 64)
    return readClientAddress(context.req.raw.headers, socketAddress(context), options.trustProxy)
  }
  const web = createWebFiles(options.webFolder, basePath, sessionCookieName(service.publicUrl))
  const respondWithClient = createClientFiles(options.clientsFolder)
  const openApi = createFixedDocument('application/json', () =>
    JSON.stringify(openApiDocument(service.publicUrl, version)),
  )
  const docs = createFixedDocument('text/html; charset=utf-8', () =>
    docsPage(service.publicUrl, version, basePath),
  )
  const root = new Hono<Environment>()
  root.use(observeRequest(service))
  const app = basePath === '' ? root : root.basePath(basePath)

  app.get('/health', () => health(service, version, options.jobsAreHealthy))
  app.get('/metrics', (context) => respondWithMetrics(context))
  // At the root of the host, whatever the base path is.
  root.get(metadataPathOf(service), () => authorizationServerMetadata(service))
  root.all('/.well-known/*', () => new Response('Not found\n', { status: 404 }))
  app.route('/api/auth/oauth2', createOAuth({ service, callerLimit: options.callerLimit, clientAddress }))
  app.route('/slack', createSlack({ service, callerLimit: options.callerLimit, clientAddress }))
  app.all('/api/auth/*', async (context) => {
    const { requestId } = context.get('requestInfo')
    try {
      const path = new URL(context.req.url).pathname.slice(`${basePath}/api/auth`.length)
      return await handleAuthRequest(options, context.req.raw, path, clientAddress(context))
    } catch (error) {
      return respondToError(error, requestId)
    }
  })
  app.get('/api/v1/openapi.json', (context) => openApi(context.req.raw))
  app.route('/api/v1', createApi({ ...options, clientAddress, isInternal }))
  app.route('/internal', createInternal(options, isInternal))
  app.all('/api/*', (context) => {
    const { method, path } = context.req
    const detail = `Route ${method} ${path.slice(0, 200)} not found. See ${basePath}/docs for all routes.`
    return problemResponse(new DomainProblem('not_found', detail), context.get('requestInfo').requestId)
  })
  app.get('/docs', (context) => docs(context.req.raw))
  app.get(
    '/docs/style.css',
    () => new Response(docsStyle, { headers: { 'content-type': 'text/css; charset=utf-8' } }),
  )
  app.get('/assets/:name', async (context) => {
    const asset = await web.respondWithAsset(
      context.req.param('name'),
      context.req.header('accept-encoding') ?? '',
    )
    return asset ?? problemResponse(fileNotFound(), context.get('requestInfo').requestId)
  })
  app.get('/client.tgz', (context) => {
    const file = respondWithClient('client.tgz', context.req.raw)
    return file ?? problemResponse(fileNotFound(), context.get('requestInfo').requestId)
  })
  app.get('/client/:name', (context) => {
    const file = respondWithClient(context.req.param('name'), context.req.raw)
    return file ?? problemResponse(fileNotFound(), context.get('requestInfo').requestId)
  })
  app.use('/unsubscribe/:token', async (context, next) => {
    context.get('requestInfo').loggedPath = `${basePath}/unsubscribe/{token}`
    await next()
  })
  app.post('/unsubscribe/:token', (context) => handleUnsubscribe({ ...options, clientAddress }, context))
  app.get(
    '/:name',
    (context) => web.respondWithFile(context.req.param('name')) ?? web.respondWithPage(context.req),
  )
  app.get('/*', (context) => web.respondWithPage(context.req))
  root.notFound((context) => problemResponse(routeNotFound(basePath), context.get('requestInfo').requestId))
  root.onError((error, context) => respondToError(error, context.get('requestInfo').requestId))
  return root

  async function respondWithMetrics(context: Context<Environment>): Promise<Response> {
    const token = /^Bearer (.+)$/.exec(context.req.header('authorization') ?? '')?.[1]
    if (!options.metricsToken || token === undefined || !sameText(token, options.metricsToken)) {
      return problemResponse(routeNotFound(basePath), context.get('requestInfo').requestId)
    }
    return await metricsResponse(service.metrics.readAll, service.log)
  }

  function respondToError(error: unknown, requestId: string): Response {
    return problemResponse(toDomainProblem(service, error, requestId), requestId)
  }
}

function socketAddress(context: Context): string | undefined {
  try {
    return getConnInfo(context).remote.address
  } catch {
    // A call within the process has no socket.
    return undefined
  }
}

function fileNotFound(): DomainProblem {
  return new DomainProblem('not_found', 'File not found.')
}
