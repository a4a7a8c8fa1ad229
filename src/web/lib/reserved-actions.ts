/** Ids of `reservedActions` in the contract, whose module would bring the whole schema library along. */
export const reservedActionIds = {
  markDone: 'service:mark-done',
  rejectRequest: 'service:reject-request',
} as const
