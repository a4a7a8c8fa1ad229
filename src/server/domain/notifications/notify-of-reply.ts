import type { Transaction } from '../../storage/engine/database.ts'
import { findAsker } from '../../storage/tasks/conversation.ts'
import type { TaskRow } from '../../storage/tasks/tasks.ts'
import type { Service } from '../service.ts'
import { notifyAbout } from './notify-about.ts'

export async function notifyOfReply(
  service: Service,
  tx: Transaction,
  task: TaskRow,
  questionId: string,
  message: string,
): Promise<void> {
  const asker = await findAsker(tx, questionId)
  await notifyAbout(service, tx, task, {
    to: asker ? [asker] : [],
    label: 'The agent replied',
    text: message,
  })
}
