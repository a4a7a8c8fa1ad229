import type { Database } from '../../storage/engine/database.ts'
import type { PolicySettings } from '../../storage/engine/workspace-tables.ts'
import { findNames } from '../../storage/review/groups.ts'
import type { NewStep } from '../../storage/tasks/steps.ts'

/**
 * What the policy sets for new tasks: their target time, and reminder and escalation steps,
 * earliest first.
 */
export function planTiming({ answerWithinMinutes, remindAfterMinutes, escalate = [] }: PolicySettings): {
  answerWithinMinutes: number | undefined
  steps: NewStep[] | undefined
} {
  const steps: NewStep[] = escalate.map(({ afterMinutes, to, raisePriority }) => ({
    kind: 'escalate',
    afterMinutes,
    target: to,
    raisePriority,
  }))
  if (remindAfterMinutes !== undefined) steps.unshift({ kind: 'remind', afterMinutes: remindAfterMinutes })
  const inOrder = steps.toSorted((one, other) => one.afterMinutes - other.afterMinutes)
  return { answerWithinMinutes, steps: steps.length > 0 ? inOrder : undefined }
}

/**
 * The email address or group:<slug> of the policy's assignee. undefined if the policy assigns tasks
 * to nobody, or to a person who has left the workspace.
 */
export async function assigneeNameOf(
  database: Database,
  workspaceId: string,
  policy: PolicySettings | undefined,
): Promise<string | undefined> {
  const assignee = policy?.assignTo
  if (assignee === undefined) return undefined
  return (await database.inWorkspace(workspaceId, (tx) => findNames(tx, [assignee]))).get(assignee)
}
