/** The actions that people can choose for every task. Without zod, so that the web app can import them. */
export const reservedActions = {
  markDone: { id: 'service:mark-done', title: 'Mark done' },
  rejectRequest: { id: 'service:reject-request', title: 'Reject task' },
} as const
