// Does not import zod, so that pages that import this file do not load it.

/** The actions that people can choose for every task. */
export const reservedActions = {
  markDone: { id: 'service:mark-done', title: 'Mark done' },
  rejectRequest: { id: 'service:reject-request', title: 'Reject task' },
} as const
