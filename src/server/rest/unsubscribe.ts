import type { Context } from 'hono'
import { unsubscribe } from '../domain/notifications/mail/unsubscribe.ts'
import { rateLimited } from '../domain/problems.ts'
import type { Service } from '../domain/service.ts'
import { networkOf } from '../lib/client-address.ts'
import type { Limit } from '../lib/request-limit.ts'
import type { Environment } from './api.ts'

type UnsubscribeOptions = {
  service: Service
  callerLimit: Limit | undefined
  clientAddress(context: Context): string
}

/**
 * POST /unsubscribe/{token}, from a mail program with one-click unsubscribe (RFC 8058) or from the
 * button of the page. Only the token matters: body and cookies are not read.
 */
export async function handleUnsubscribe(
  { service, callerLimit, clientAddress }: UnsubscribeOptions,
  context: Context<Environment>,
): Promise<Response> {
  const allowance = await callerLimit?.take(`unsubscribe ${networkOf(clientAddress(context))}`)
  if (allowance && !allowance.allowed)
    throw rateLimited('Too many requests from your network. Try again later.', allowance.resetSeconds)
  await unsubscribe(service, context.req.param('token')!.slice(0, 200))
  return new Response(null, { status: 204 })
}
