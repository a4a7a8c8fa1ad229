import { checkPayload, type Patterns } from './check-payload.ts'
import type { CreateTask } from './create-task.ts'
import type { Violation } from './violation.ts'

/** Checks the task as it would be after a revision, with the rules for a new task. */
export function checkRevisedPayload(revised: CreateTask, patterns: Patterns): Violation[] {
  return checkPayload(revised, patterns).errors.map(inRevision)
}

/**
 * A revision cannot change `onExpire`, so a problem with `onExpire` is reported for the new
 * actions.
 */
function inRevision({ path, message }: Violation): Violation {
  return path.startsWith('onExpire')
    ? { path: 'revision.actions', message: `The task's ${path} no longer fits: ${message}` }
    : { path: `revision.${path}`, message }
}
