import type { Handled } from '../../src/contract/task-answer.ts'

// What the service has acknowledged to its clients. A crash must not lose any of it.

export type Acknowledged = {
  /** `startedAt`: when the call was first sent, in milliseconds of this process. */
  created: { taskId: string; name: string; metadata: { sender: string; number: number }; startedAt: number }[]
  handled: { taskId: string; handled: Handled }[]
  cancelled: { taskId: string; reason: string }[]
  updated: { taskId: string; updateId: string; message: string }[]
  /** Rejected with 409 because another client was first, with the details of the response. */
  conflicts: {
    taskId: string
    taskStatus: string
    handledBy?: string
    handledAt?: string
    actionId?: string
  }[]
  /** Responses that a crash does not explain. */
  unexpected: { call: string; status: number; body: unknown }[]
}

export function createAcknowledged(): Acknowledged {
  return { created: [], handled: [], cancelled: [], updated: [], conflicts: [], unexpected: [] }
}
