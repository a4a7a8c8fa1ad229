import { limits } from '../../../contract/limits.ts'
import { CreateTasks, type TaskResult, TasksCreated } from '../../../contract/task-batch.ts'
import { parseTrace } from '../../../contract/trace.ts'
import { invalidRequest } from '../../domain/problems.ts'
import { createTasks } from '../../domain/tasks/create-tasks.ts'
import { presentProblem, toDomainProblem } from '../problem.ts'
import { defineRoute } from '../route.ts'

export const taskBatchRoutes = [
  defineRoute({
    method: 'post',
    path: '/tasks/batch',
    operationId: 'createTasks',
    who: 'agent-or-member',
    scope: 'tasks',
    countRequests: ({ tasks }) => tasks.length,
    summary: `Create up to ${limits.batchTasks} tasks. Each has its own result, and a task that is refused does not affect the others. If each has an idempotencyKey, repeating the call is safe.`,
    body: CreateTasks,
    responses: { 200: TasksCreated },
    async handle(service, { actor, body, headers, requestId }) {
      if (headers.has('idempotency-key')) {
        const message = 'A batch has no key of its own. Send an idempotencyKey in each task.'
        throw invalidRequest([{ path: 'Idempotency-Key', message }])
      }
      const trace = parseTrace(headers.get('traceparent'), headers.get('tracestate'))
      const settled = await createTasks(service, actor, body.tasks, { trace })
      const results = settled.map((result): TaskResult => {
        if (result.status === 'fulfilled') {
          const { created, replayed } = result.value
          return { status: replayed ? 200 : 201, task: created }
        }
        const problem = toDomainProblem(service, result.reason, requestId)
        const presented = presentProblem(problem, requestId)
        return { status: presented.status, problem: presented }
      })
      return { status: 200, body: { results } }
    },
  }),
]
