import type { TaskRecord } from '../contract/task.ts'
import type { SchemaIssue } from './standard-schema.ts'

/**
 * A person or a standing rule denied an approval, or a person rejected the task or marked it done.
 * `reason` is what they wrote, or "".
 */
export class Denied extends Error {
  override readonly name = 'Denied'
  readonly reason: string
  declare readonly task: TaskRecord

  constructor(task: TaskRecord, reason: string) {
    const by =
      task.handled?.decidedBy === 'rule' ? 'A standing rule' : (task.handled?.handledBy ?? 'A person')
    super(`${by} denied "${task.name}"${reason ? `: ${reason}` : '.'}`)
    this.reason = reason
    setTask(this, task)
  }
}

/** The task was still open at its deadline (`expiresInSeconds`). */
export class Expired extends Error {
  override readonly name = 'Expired'
  declare readonly task: TaskRecord

  constructor(task: TaskRecord) {
    super(`"${task.name}" was still open at its deadline.`)
    setTask(this, task)
  }
}

/** The task was cancelled. `reason` is the text that was given, or "". */
export class Cancelled extends Error {
  override readonly name = 'Cancelled'
  readonly reason: string
  declare readonly task: TaskRecord

  constructor(task: TaskRecord) {
    const reason = task.cancelled?.reason ?? ''
    super(`"${task.name}" was cancelled${reason ? `: ${reason}` : '.'}`)
    this.reason = reason
    setTask(this, task)
  }
}

/** `timeoutSeconds` have passed without an answer. The task stays open: wait again, or cancel it. */
export class WaitTimeout extends Error {
  override readonly name = 'WaitTimeout'
  readonly taskId: string

  constructor(taskId: string, seconds: number) {
    super(`No answer to ${taskId} was received within ${seconds} s. Wait again, or cancel the task.`)
    this.taskId = taskId
  }
}

/**
 * The answer fits the form that was sent but not the Standard Schema that the form was made from,
 * for example because of a refinement, or it uses an action that a revision added.
 */
export class InvalidAnswer extends Error {
  override readonly name = 'InvalidAnswer'
  readonly issues: readonly SchemaIssue[]
  declare readonly task: TaskRecord

  constructor(task: TaskRecord, message: string, issues: readonly SchemaIssue[]) {
    super(message)
    this.issues = issues
    setTask(this, task)
  }
}

/** Sets a property that is not enumerable, so that an uncaught error is printed without the whole task. */
function setTask(error: Error, task: TaskRecord): void {
  Object.defineProperty(error, 'task', { value: task })
}
