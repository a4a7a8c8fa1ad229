import { bodyLimits, isSyntaxError, parseJsonTextInChunks } from '../../contract/json-text.ts'
import { limits } from '../../contract/limits.ts'
import type { Violation } from '../../contract/violation.ts'
import { nextTurn } from '../lib/event-loop.ts'
import { decodeUtf8, readBytes } from '../lib/read-bytes.ts'
import { errorCodes, jsonRpcError } from './json-rpc.ts'
import { withoutArguments } from './without-arguments.ts'

// Arguments are nested two levels deeper than the same task sent over REST.
const envelopeDepth = 2
const messageLimits = { ...bodyLimits, maxDepth: bodyLimits.maxDepth + envelopeDepth }
const argumentsPath = 'params.arguments'

/** `violations`: errors in the arguments of a tool call, which the tool result reports. */
export type ReadBody = { body: unknown; violations: Violation[] }

/**
 * Reads the body with the same limits as REST, and refuses text that people would not see the way
 * it was sent.
 */
export async function readBody(request: Request): Promise<ReadBody | Response> {
  const bytes = await readBytes(request, limits.bodyBytes)
  if (!bytes)
    return jsonRpcError(413, errorCodes.refused, `The body must be at most ${limits.bodyBytes} bytes.`)
  const text = decodeUtf8(bytes)
  if (text === undefined)
    return jsonRpcError(400, errorCodes.parse, 'Parse error: the body is not valid UTF-8.')
  const result = await parseJsonTextInChunks(text, messageLimits, nextTurn)
  if ('value' in result) {
    const { value } = result
    if (!Array.isArray(value) || value.length <= limits.batchMessages) return { body: value, violations: [] }
    const message = `A batch must have at most ${limits.batchMessages} messages; this one has ${value.length}.`
    return jsonRpcError(400, errorCodes.invalidRequest, message)
  }
  const { violations } = result
  const call = violations.every(isInArguments) ? await toolCallIn(text) : undefined
  if (call) {
    const errors = violations.map(({ path, message }) => ({ path: belowArguments(path), message }))
    return { body: call, violations: errors }
  }
  const { path, message } = violations[0]!
  return jsonRpcError(400, errorCodes.parse, `Parse error: ${path ? `${path}: ` : ''}${message}`, {
    data: { errors: violations },
  })
}

function isInArguments(violation: Violation): boolean {
  // With invalid JSON, it is unknown where the arguments end.
  if (isSyntaxError(violation)) return false
  const { path } = violation
  return (
    path === argumentsPath || path.startsWith(`${argumentsPath}.`) || path.startsWith(`${argumentsPath}[`)
  )
}

function belowArguments(path: string): string {
  return path.slice(argumentsPath.length).replace(/^\./, '')
}

/**
 * A tool call with its arguments removed. A model can fix what a tool result reports; it may never
 * see an HTTP error.
 */
async function toolCallIn(text: string): Promise<object | undefined> {
  const rest = withoutArguments(text)
  const result = rest === undefined ? undefined : await parseJsonTextInChunks(rest, messageLimits, nextTurn)
  if (!result || !('value' in result)) return undefined
  const call = result.value as { method?: unknown }
  return call.method === 'tools/call' ? call : undefined
}
