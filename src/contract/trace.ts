/** The trace of a task in the format of W3C Trace Context (https://www.w3.org/TR/trace-context/). */
export type Trace = { traceparent: string; tracestate?: string }

// version, trace id, parent id, flags. All-zero ids and version ff are invalid.
const traceparentPattern = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/
const memberPattern =
  /^[ \t]*([a-z0-9][a-z0-9_\-*/@]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e])?[ \t]*$/
const maxMembers = 32
const maxCharacters = 512

/** The trace of a request, if it is valid. An invalid trace is ignored and never fails a request. */
export function parseTrace(traceparent: unknown, tracestate: unknown): Trace | undefined {
  if (typeof traceparent !== 'string' || !traceparentPattern.test(traceparent)) return undefined
  return { traceparent, ...(isTracestate(tracestate) && { tracestate }) }
}

function isTracestate(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > maxCharacters) return false
  const members = value.split(',')
  return (
    value.trim() !== '' &&
    members.length <= maxMembers &&
    members.every((member) => memberPattern.test(member))
  )
}
