import type { Mail } from '../../../lib/mail.ts'
import type { MailContent } from '../../../lib/mail-content.ts'
import { signUnsubscribeToken } from '../../../lib/unsubscribe-token.ts'
import type { DueDelivery } from '../../../storage/delivery/deliveries.ts'
import type { Transaction } from '../../../storage/engine/database.ts'
import { findRoutes } from '../../../storage/notifications/routes.ts'
import { findMember } from '../../../storage/people/members.ts'
import { findWorkspace } from '../../../storage/people/workspaces.ts'
import { findTask, type TaskRow } from '../../../storage/tasks/tasks.ts'
import { type AttemptResult, notNeeded, permanentFailure } from '../../delivery/transport.ts'
import type { Service } from '../../service.ts'
import { excerptOf } from '../messages.ts'
import { adminMail, digestMail, type MailBody, type MailFrame, taskMail, testMail } from './compose-mail.ts'

/** SMTP's equivalent of HTTP 200. */
const smtpAccepted = 250

export async function sendMail(service: Service, delivery: DueDelivery): Promise<AttemptResult> {
  const startedAt = performance.now()
  const elapsed = () => Math.round(performance.now() - startedAt)
  const mail = await service.database.inWorkspace(delivery.workspaceId, (tx) =>
    prepare(service, tx, delivery),
  )
  if ('result' in mail) return { ...mail.result, durationMilliseconds: elapsed() }
  try {
    await service.sendMail!(mail)
    return { status: smtpAccepted, durationMilliseconds: elapsed() }
  } catch (error) {
    const { responseCode, message } = error as { responseCode?: number; message?: string }
    return {
      status: responseCode,
      durationMilliseconds: elapsed(),
      error: (message ?? 'The mail server did not accept it.').slice(0, 300).replaceAll('\0', ''),
    }
  }
}

/** Reads everything again when the email is sent: the person may have left or turned emails off. */
async function prepare(
  service: Service,
  tx: Transaction,
  delivery: DueDelivery,
): Promise<Mail | { result: AttemptResult }> {
  const userId = delivery.recipient!
  const member = await findMember(tx, userId)
  if (!member) return { result: permanentFailure('The person is no longer a member.') }
  const body = JSON.parse(delivery.body) as MailBody
  const isAboutTasks = body.about === 'task' || body.about === 'digest'
  if (isAboutTasks && !(await findRoutes(tx, userId)).some(({ medium }) => medium === 'mail'))
    return { result: permanentFailure('The person has turned emails off.') }
  if (isAboutTasks && !member.emailVerified)
    return { result: permanentFailure('The address is not verified.') }
  const { publicUrl, secrets } = service
  const token = signUnsubscribeToken({ workspaceId: tx.workspaceId, userId }, secrets.encryptionKey)
  const frame: MailFrame = {
    workspaceName: (await findWorkspace(tx))!.name,
    inboxUrl: `${publicUrl}/w/${tx.workspaceId}/inbox`,
    unsubscribeUrl: `${publicUrl}/unsubscribe/${token}`,
  }
  const tasks = await readTasks(tx, body, delivery)
  if (body.about === 'task' && body.isNew && tasks[0]?.status !== 'open')
    return { result: notNeeded('the task has ended or was deleted.') }
  const content = compose(service, body, tasks, frame)
  if (!content) return { result: notNeeded('its tasks have ended or were deleted.') }
  const { hostname } = new URL(publicUrl)
  return {
    to: member.email,
    content,
    messageId: `${delivery.id}@${hostname}`,
    ...(delivery.taskId !== null && { threadId: `${delivery.taskId}@${hostname}` }),
    ...(body.about !== 'admins' && { unsubscribeUrl: frame.unsubscribeUrl }),
    ...(body.about === 'task' && tasks[0]?.priority === 0 && { isUrgent: true }),
  }
}

/**
 * The tasks that the email is about. A digest leaves out those that have ended. An email about one
 * task is sent after its end too, unless it is about a new task: a note in it may mention the person.
 */
async function readTasks(tx: Transaction, body: MailBody, { taskId }: DueDelivery): Promise<TaskRow[]> {
  const ids = body.about === 'digest' ? body.taskIds : taskId === null ? [] : [taskId]
  const tasks: TaskRow[] = []
  for (const id of ids) {
    const task = await findTask(tx, id)
    if (task && (body.about !== 'digest' || task.status === 'open')) tasks.push(task)
  }
  return tasks
}

function compose(
  service: Service,
  body: MailBody,
  tasks: TaskRow[],
  frame: MailFrame,
): MailContent | undefined {
  const [task] = tasks
  switch (body.about) {
    case 'task':
      return task && taskMail(excerptOf(service, task, body.snippet), body, frame)
    case 'digest':
      return (
        task &&
        digestMail(
          tasks.map((one) => excerptOf(service, one, '')),
          body.more,
          frame,
        )
      )
    case 'admins':
      return adminMail(body.notice, frame)
    case 'test':
      return testMail(frame)
    default:
      return storedMail(body)
  }
}

function storedMail({ subject, text }: { subject: string; text: string }): MailContent {
  return { subject, blocks: [{ kind: 'lines', lines: text.split('\n') }] }
}
