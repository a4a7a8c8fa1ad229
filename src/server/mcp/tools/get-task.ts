import { z } from 'zod'
import { TaskId } from '../../../contract/ids.ts'
import { GetTask, TaskRecord } from '../../../contract/task.ts'
import { joinSignals } from '../../lib/joined-signal.ts'
import { defineTool, type ToolCall } from './tool.ts'

const progressEverySeconds = 10

export const getTask = defineTool({
  name: 'get_task',
  title: 'Get a task',
  description: `Read a task: its status and, once a human has handled it, their answer.

waitSeconds (0 to 50) holds the call until the task leaves "open" or the time is up: use 50. People may take hours: if status is still "open" after a few calls, give the user the url, end your turn and call again later.

When status is "handled", handled.actionId is the action they chose and handled.data is what they filled in. Two ids are built in and mean stop: "service:mark-done" (the human closed the task) and "service:reject-request" (they rejected it; handled.data.feedback says why). "cancelled" and "expired" are final too.`,
  scope: 'tasks:read',
  input: z.strictObject({ taskId: TaskId, ...GetTask.shape }),
  output: TaskRecord,
  annotations: { readOnlyHint: true, openWorldHint: false },
  async call(call, { taskId, ...query }) {
    if (!query.waitSeconds) return { result: await call.client.getTask(taskId, query) }
    const stopProgress = reportProgress(call, query.waitSeconds)
    const wait = joinSignals(call.signal, call.draining)
    const stopListening = call.onCancelled(wait.abort)
    try {
      return { result: await call.client.getTask(taskId, query, wait.signal) }
    } catch (error) {
      // Draining or cancelled: return the task as it is. A client that has disconnected needs no
      // response.
      if (!wait.signal.aborted || call.signal.aborted) throw error
      return { result: await call.client.getTask(taskId, { ...query, waitSeconds: 0 }, call.signal) }
    } finally {
      stopProgress()
      stopListening()
      wait.release()
    }
  },
})

/** Sends progress to clients that asked for it: some abort a call that sends nothing for 60 s. */
function reportProgress({ progress, signal }: ToolCall, waitSeconds: number): () => void {
  if (!progress || waitSeconds === 0) return () => undefined
  let elapsed = 0
  const timer = setInterval(() => {
    elapsed += progressEverySeconds
    if (!signal.aborted)
      void progress(Math.min(elapsed, waitSeconds), waitSeconds, 'Waiting for a human.').catch(
        () => undefined,
      )
  }, progressEverySeconds * 1000)
  return () => clearInterval(timer)
}
