import type { CreateTask } from '../create-task.ts'
import type { Revision } from '../task-update.ts'

/** A complete task for the gallery, ready to send. */
export type Example = {
  /** Part of the URL of its page. */
  id: string
  title: string
  /** What the example shows, in a few sentences. */
  about: string
  payload: CreateTask
  /** What the agent in the code snippet replies to questions and, with a revision, to requested changes. */
  replies?: { question: string; changes?: { message: string; revision: Revision } }
}
