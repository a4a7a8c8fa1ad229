/** The statuses of tasks that are no longer open. */
export const statusLabels = { handled: 'Handled', cancelled: 'Cancelled', expired: 'Expired' }
