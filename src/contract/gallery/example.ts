import type { CreateTask } from '../task.ts'

/** A complete task for the gallery: ready to send as it stands. */
export type Example = {
  /** In the address of its page. */
  id: string
  title: string
  /** When an agent would send this, in one sentence. */
  about: string
  payload: CreateTask
}
