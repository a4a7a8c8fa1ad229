import pino from 'pino'

export type Logger = pino.Logger

/** Fields that are always redacted, at the top level or one level down. */
const hiddenFields = new Set([
  'authorization',
  'x-api-key',
  'cookie',
  'set-cookie',
  'password',
  'newPassword',
  'currentPassword',
  'token',
  'secret',
  'webhookSecret',
  'key',
  'apiKey',
  'link',
])

// A write costs more than formatting a line, so lines are written in batches.
const bufferMilliseconds = 10
let standardError: pino.DestinationStream | undefined

/** JSON lines on standard error. Standard output has only the few lines that are for people. */
export function createLogger(level: string, destination?: pino.DestinationStream): Logger {
  standardError ??= buffered(pino.destination({ dest: 2, sync: false }))
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      // pino's own `redact` takes longer than the rest of a line.
      formatters: { level: (label) => ({ level: label }), log: withoutHidden },
      serializers: { err: describeError },
      // Redacts the secrets that it recognizes in any field, also inside texts.
      hooks: { streamWrite: withoutSecrets },
    },
    destination ?? standardError,
  )
}

function buffered(stream: pino.DestinationStream & { flushSync(): void }): pino.DestinationStream {
  let lines = ''
  const flush = () => {
    stream.write(lines)
    lines = ''
  }
  process.on('exit', () => {
    if (lines === '') return
    flush()
    stream.flushSync()
  })
  return {
    write(line) {
      if (lines === '') setTimeout(flush, bufferMilliseconds)
      lines += line
    },
  }
}

function withoutHidden(fields: Record<string, unknown>, depth = 1): Record<string, unknown> {
  const shown: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    if (hiddenFields.has(name)) shown[name] = '[redacted]'
    else shown[name] = depth > 0 && isPlainObject(value) ? withoutHidden(value, depth - 1) : value
  }
  return shown
}

/** Errors, dates and the like are left to their serializers. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

type ErrorFields = { type?: string; message: string; code?: unknown; stack?: string; cause?: ErrorFields }

// A cause may have a cause; an error may even be its own.
const maxCauses = 3

/** Omits `detail` of database errors, which contains statement parameters and thus people's data. */
function describeError(error: unknown): ErrorFields {
  return describeWithCauses(error, maxCauses)
}

function describeWithCauses(error: unknown, causes: number): ErrorFields {
  if (!(error instanceof Error)) return { message: String(error) }
  const { code } = error as { code?: unknown }
  const cause =
    causes > 0 && error.cause !== undefined ? describeWithCauses(error.cause, causes - 1) : undefined
  return {
    type: error.name,
    message: error.message,
    ...(code !== undefined && { code }),
    ...(error.stack !== undefined && { stack: error.stack }),
    ...(cause && { cause }),
  }
}

function withoutSecrets(line: string): string {
  return line
    .replace(/(hr[a-z]_)[0-9A-Za-z]{8,}/g, '$1[redacted]')
    .replace(/whsec_[0-9A-Za-z+/=]{8,}/g, 'whsec_[redacted]')
    .replace(/((?:session_token|two_factor)=)[^;,"\s\\]+/g, '$1[redacted]')
    .replace(/(\b[a-z]{2,20}:\/\/[^\s:/@"]{0,200}:)[^\s/@"]{1,500}@/g, '$1[redacted]@')
}
