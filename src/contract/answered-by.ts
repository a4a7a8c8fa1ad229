// Does not import zod, so that pages that import this file do not load it.

/** `handledBy` of tasks that the deadline or a standing rule answered. */
export const answeredByDeadline = 'service:timeout'
export const answeredByRule = 'service:rule'
