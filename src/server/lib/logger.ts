import pino from 'pino'

export type Logger = pino.Logger

/** JSON lines on standard error: standard output belongs to the few lines a person reads at start. */
export function createLogger(level: string): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: [
          '*.authorization',
          '*["x-api-key"]',
          '*.cookie',
          '*.password',
          '*.token',
          '*.secret',
          '*.key',
          '*.apiKey',
          'headers.authorization',
          'headers["x-api-key"]',
          'headers.cookie',
        ],
        censor: '[redacted]',
      },
      serializers: { err: describeError },
    },
    pino.destination({ dest: 2, sync: false }),
  )
}

/** Database errors carry the parameters of the statement in `detail`: people's data has no place in a log. */
function describeError(error: unknown) {
  if (!(error instanceof Error)) return { message: String(error) }
  const { code } = error as { code?: unknown }
  return {
    type: error.name,
    message: withoutKeys(error.message),
    code,
    stack: withoutKeys(error.stack ?? ''),
  }
}

function withoutKeys(text: string): string {
  return text
    .replace(/hrl_[0-9A-Za-z]{8,}/g, 'hrl_[redacted]')
    .replace(/whsec_[0-9A-Za-z+/=]{8,}/g, 'whsec_[redacted]')
}
