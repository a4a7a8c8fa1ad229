// This file does not import zod, so that the web app can use it.

/** The actions that people can choose for every task. */
export const reservedActions = {
  markDone: { id: 'service:mark-done', title: 'Mark done' },
  rejectRequest: { id: 'service:reject-request', title: 'Reject task' },
} as const
