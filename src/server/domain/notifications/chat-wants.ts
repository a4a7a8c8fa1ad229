import type { ChatFor } from '../../../contract/notification.ts'
import { priorities } from '../../../contract/task-fields.ts'

/** The priorities of the tasks that a chat or Slack channel gets, as indexes into `priorities`. */
export const wantsOfChat: Record<ChatFor, number[]> = { urgent: [0], high: [0, 1], all: [0, 1, 2, 3] }

export function toChatFor(wants: number[]): ChatFor {
  if (wants.includes(priorities.indexOf('normal'))) return 'all'
  return wants.includes(priorities.indexOf('high')) ? 'high' : 'urgent'
}
