import type { MiddlewareHandler } from 'hono'
import type { Service } from '../domain/service.ts'
import { newRequestId } from '../lib/ids.ts'
import type { Environment } from './api.ts'

/** Gives each request an id, and records it in the log and in the metrics. */
export function observeRequest(service: Service): MiddlewareHandler<Environment> {
  return async (context, next) => {
    const startedAt = performance.now()
    const requestInfo = { requestId: newRequestId() }
    context.set('requestInfo', requestInfo)
    await next()
    const headers = context.res.headers
    headers.set('x-request-id', requestInfo.requestId)
    if (service.draining.aborted) headers.set('connection', 'close')
    const { route = 'other', actor, workspaceId, isLongLived, loggedPath } = context.get('requestInfo')
    const milliseconds = Math.round((performance.now() - startedAt) * 10) / 10
    const { method } = context.req
    const status = context.res.status
    if (!isLongLived)
      service.metrics.requests.observe({ method, route, status: String(status) }, milliseconds / 1000)
    // Requests without a route, such as pages, assets, health checks and calls of our own MCP
    // server to /internal, are logged at debug level unless they fail with a 5xx. So are requests
    // to rest/auth.ts, because sign-ins have log lines of their own.
    const level = status >= 500 ? 'error' : route === 'other' ? 'debug' : 'info'
    service.log[level](
      {
        requestId: requestInfo.requestId,
        method,
        path: loggedPath ?? context.req.path,
        status,
        ms: milliseconds,
        actor,
        workspaceId,
      },
      'request',
    )
  }
}
