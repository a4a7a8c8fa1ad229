import { TRACEPARENT_META_KEY, TRACESTATE_META_KEY } from '@modelcontextprotocol/server'
import { parseTrace, type Trace } from '../../contract/trace.ts'

/**
 * The trace that a request belongs to: from `_meta`, where MCP puts it, else from the HTTP headers.
 */
export function traceOf(headers: Headers, body: unknown): Trace | undefined {
  const { params } = (body ?? {}) as { params?: { _meta?: Record<string, unknown> | null } | null }
  const meta = params?._meta
  return (
    parseTrace(meta?.[TRACEPARENT_META_KEY], meta?.[TRACESTATE_META_KEY]) ??
    parseTrace(headers.get('traceparent'), headers.get('tracestate'))
  )
}
