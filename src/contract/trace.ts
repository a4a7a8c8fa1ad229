/** The trace a task belongs to, as W3C Trace Context writes it (https://www.w3.org/TR/trace-context/). */
export type Trace = { traceparent: string; tracestate?: string }

// version, trace id, parent id, flags; ids of zeros alone and version ff are invalid.
const traceparentPattern = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/
const memberPattern =
  /^[ \t]*([a-z0-9][a-z0-9_\-*/@]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e])?[ \t]*$/
const mostMembers = 32
const mostCharacters = 512

/** What a caller sent, if it is valid. A trace is a courtesy: one that is not valid is left out and fails nothing. */
export function readTrace(traceparent: unknown, tracestate: unknown): Trace | undefined {
  if (typeof traceparent !== 'string' || !traceparentPattern.test(traceparent)) return undefined
  return { traceparent, ...(isTracestate(tracestate) && { tracestate }) }
}

function isTracestate(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > mostCharacters) return false
  const members = value.split(',')
  return (
    value.trim() !== '' &&
    members.length <= mostMembers &&
    members.every((member) => memberPattern.test(member))
  )
}
