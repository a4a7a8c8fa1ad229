import { type Priority, priorities } from '../../../contract/task-fields.ts'
import { sha256Hex } from '../../lib/sha256.ts'

/** The stored body of a delivery to a person's browsers. */
export type PushBody = { count: number; isMention?: true } | { isTest: true }

export function pushBody(body: PushBody): string {
  return JSON.stringify(body)
}

/** What the service worker shows. It contains no text of the task, because it appears on lock screens. */
export type PushPayload = {
  title: string
  body: string
  /** The page that a click opens, below the base path. */
  path: string
  /** A later message with the same tag replaces the earlier one. */
  tag: string
}

export function pushPayload(
  body: PushBody,
  about: { workspaceId: string; workspaceName: string; taskId: string | null; hasEnded: boolean },
): PushPayload {
  const { workspaceId, workspaceName, taskId, hasEnded } = about
  const inbox = `/w/${workspaceId}/inbox`
  return {
    title: titleOf(body, hasEnded),
    body: workspaceName,
    path: taskId === null ? inbox : `${inbox}/${taskId}`,
    // The tag is also the topic of the push message, which has at most 32 characters.
    tag: sha256Hex(`${workspaceId} ${taskId ?? ''} ${'isTest' in body}`).slice(0, 32),
  }
}

function titleOf(body: PushBody, hasEnded: boolean): string {
  if ('isTest' in body) return 'Push messages work'
  // After the end of a task, only mentions are sent.
  if (hasEnded) return 'A note mentions you'
  return body.count === 1 ? 'A task is waiting' : `${body.count} tasks are waiting`
}

/**
 * The urgency of a push message. A phone that saves power shows messages of normal urgency later.
 */
export function urgencyOf(priority: number | undefined): 'high' | 'normal' {
  const highUrgency: Priority[] = ['urgent', 'high']
  return priority !== undefined && highUrgency.includes(priorities[priority]!) ? 'high' : 'normal'
}
