import { reservedActions } from '../../../../contract/reserved-actions.ts'
import type { TaskRecord } from '../../../../contract/task.ts'

/**
 * The class that colors an answer. Empty if the outcome of the action is unknown, because a green
 * "Decline" would read as a yes.
 */
export function toneOf({ actions }: TaskRecord, actionId: string): string {
  if (actionId === reservedActions.rejectRequest.id) return 'neg'
  const outcome = actions?.find((action) => action.id === actionId)?.outcome
  return outcome === 'positive' ? 'pos' : outcome === 'negative' ? 'neg' : ''
}
