import type { TaskRecord } from '../../../contract/task.ts'
import { reservedActionIds } from '../../lib/reserved-actions.ts'

/** Colored only if the outcome is known: a green "Decline" would read as a yes. */
export function toneOf({ actions }: TaskRecord, actionId: string): string {
  if (actionId === reservedActionIds.rejectRequest) return 'neg'
  const outcome = actions?.find((action) => action.id === actionId)?.outcome
  return outcome === 'positive' ? 'pos' : outcome === 'negative' ? 'neg' : ''
}
