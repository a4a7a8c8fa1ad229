import { z } from 'zod'
import type { TaskCalls } from '../../../client/tasks.ts'
import { clampedInteger, optional } from '../../../contract/field.ts'
import { TaskId } from '../../../contract/ids.ts'
import { limits } from '../../../contract/limits.ts'
import { GetTask, TaskRecord } from '../../../contract/task.ts'
import { joinSignals } from '../../lib/joined-signal.ts'
import { replyHint } from '../open-questions.ts'
import { defineTool, type ToolContext, type ToolOutput } from './tool.ts'

const progressEverySeconds = 10
// With progress, clients do not time out, so a call may wait longer.
const maxSecondsWithProgress = 600

export const getTask = defineTool({
  name: 'get_task',
  title: 'Get a task',
  description: `Read a task: its status and, once it is handled, the answer.

waitSeconds (0 to 50) holds the call until the task leaves "open", a person asks you something or the time is up: use 50. People may take hours: if status is still "open" after a few calls, give the user the url, end your turn and call again later. Do not act without an answer.

When status is "handled", handled.actionId is the action they chose and handled.data is what they filled in: use their values. Two ids are built in and mean stop: "service:mark-done" (a person ended the task without an action) and "service:reject-request" (they rejected it; handled.data.feedback says why). "cancelled" and "expired" are final too; neither is a yes.

waitingFor "agent": people wait for you. Reply to each entry of questions that has no answer: send_update with answers. Then wait again.`,
  scope: 'tasks:read',
  input: z.strictObject({
    taskId: TaskId,
    ...GetTask.shape,
    waitSeconds: optional(clampedInteger(0, maxSecondsWithProgress)).describe(
      `How long to wait while the task is open: 0 to ${limits.waitSeconds}, or to ${maxSecondsWithProgress} with a progress token. Default: 0.`,
    ),
  }),
  // Only the fields by which an agent decides. A result may have more fields than its output schema
  // names.
  output: TaskRecord.pick({
    taskId: true,
    status: true,
    revision: true,
    waitingFor: true,
    questions: true,
    expiresAt: true,
    url: true,
    handled: true,
    cancelled: true,
    metadata: true,
    context: true,
    actions: true,
    updates: true,
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  async call(context, { taskId, waitSeconds = 0, ...options }) {
    const { include } = options
    if (waitSeconds === 0) return withHint(await context.client.getTask(taskId, { include }))
    const seconds = context.progress ? waitSeconds : Math.min(waitSeconds, limits.waitSeconds)
    const stopProgress = reportProgress(context, seconds)
    const wait = joinSignals(context.signal, context.draining)
    const stopListening = context.onCancelled(wait.abort)
    try {
      return withHint(await waitForTask(context.client, taskId, options, seconds, wait.signal))
    } catch (error) {
      // Draining or cancelled: return the task as it is. A client that has disconnected needs no
      // response.
      if (!wait.signal.aborted || context.signal.aborted) throw error
      return withHint(await context.client.getTask(taskId, { include }, context.signal))
    } finally {
      stopProgress()
      stopListening()
      wait.release()
    }
  },
})

/** Adds a hint about an answer by a rule, or about questions that have no reply. */
export function withHint(task: TaskRecord): ToolOutput {
  const hint =
    task.handled?.decidedBy === 'rule'
      ? 'A standing rule of the workspace answered, not a person. The answer counts like theirs.'
      : replyHint(task)
  return { result: task, ...(hint && { hint }) }
}

/** One request of the API waits at most 50 s, so a longer wait is several requests. */
async function waitForTask(
  client: TaskCalls,
  taskId: string,
  options: Omit<GetTask, 'waitSeconds'>,
  seconds: number,
  signal: AbortSignal,
): Promise<TaskRecord> {
  const waitSeconds = Math.min(seconds, limits.waitSeconds)
  const sentAt = Date.now()
  const task = await client.getTask(taskId, { ...options, waitSeconds }, signal)
  // An open task that is returned early has a question, or the server is shutting down: another
  // request at once would only add load.
  const isEarly = Date.now() - sentAt < (waitSeconds - 1) * 1000
  if (task.status !== 'open' || seconds === waitSeconds || isEarly) return task
  return await waitForTask(client, taskId, options, seconds - waitSeconds, signal)
}

/** Sends progress to clients that asked for it: some abort a call that sends nothing for 60 s. */
function reportProgress({ progress, signal }: ToolContext, seconds: number): () => void {
  if (!progress) return () => undefined
  let elapsed = 0
  const timer = setInterval(() => {
    elapsed += progressEverySeconds
    if (!signal.aborted)
      void progress(Math.min(elapsed, seconds), seconds, 'Waiting for a human.').catch(() => undefined)
  }, progressEverySeconds * 1000)
  return () => clearInterval(timer)
}
