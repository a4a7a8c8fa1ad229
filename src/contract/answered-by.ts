// This file does not import zod, so that the web app can use it.

/** `handledBy` of tasks that the deadline or a standing rule answered. */
export const answeredByDeadline = 'service:timeout'
export const answeredByRule = 'service:rule'
