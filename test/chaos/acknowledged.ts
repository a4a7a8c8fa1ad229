import type { Handled } from '../../src/contract/task.ts'

// What the service told its clients. Every line of it is a promise that a crash must not break.

export type Told = {
  /** `begun`: when the call was sent for the first time, in milliseconds of this process. */
  created: { taskId: string; name: string; metadata: { sender: string; number: number }; begun: number }[]
  handled: { taskId: string; handled: Handled }[]
  cancelled: { taskId: string; reason: string }[]
  updated: { taskId: string; updateId: string; message: string }[]
  /** Refused with 409: somebody else was first, and this is what we were told about it. */
  lost: {
    taskId: string
    taskStatus: string
    handledBy?: string
    handledAt?: string
    actionId?: string
  }[]
  /** Answers that no crash explains. */
  odd: { call: string; status: number; body: unknown }[]
}

export function nothingToldYet(): Told {
  return { created: [], handled: [], cancelled: [], updated: [], lost: [], odd: [] }
}
