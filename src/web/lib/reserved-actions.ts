/** Copied from `reservedActions`: importing the contract would add the schema library to the bundle. */
export const reservedActionIds = {
  markDone: 'service:mark-done',
  rejectRequest: 'service:reject-request',
} as const
