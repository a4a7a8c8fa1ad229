/** Who answered, where no person did: the deadline, or a standing rule. Without zod, so that the web app can import them. */
export const answeredByDeadline = 'service:timeout'
export const answeredByRule = 'service:rule'
