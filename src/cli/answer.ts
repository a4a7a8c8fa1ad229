import { TaskId } from '../contract/ids.ts'
import { bodyLimits, parseJsonText } from '../contract/json-text.ts'
import { reservedActions } from '../contract/reserved-actions.ts'
import type { TaskRecord } from '../contract/task.ts'
import { HandleTask, RejectTask } from '../contract/task-answer.ts'
import type { PersonActor } from '../server/domain/actor.ts'
import type { Service } from '../server/domain/service.ts'
import { handleTask, markDone, rejectTask } from '../server/domain/tasks/handle-task.ts'
import { actorOnBehalfOf } from '../server/domain/workspaces/operator.ts'
import { flagValue, parseArguments, requireFlag, UsageError } from './arguments.ts'
import { print, withService } from './with-service.ts'

export async function answer(argv: string[]): Promise<number> {
  const { flags, positionals } = parseArguments(argv, ['action', 'data', 'as', 'revision'])
  const [taskId = ''] = positionals
  if (positionals.length !== 1 || !TaskId.safeParse(taskId).success)
    throw new UsageError('Expected one task id (tsk_…).')
  const email = requireFlag(flags, 'as').toLowerCase()
  const { actionId, data, revision } = HandleTask.shape
  const input = {
    actionId: flagValue('action', actionId, requireFlag(flags, 'action')),
    data: flagValue('data', data, parseData(flags.data as string | undefined)),
    revision: flagValue(
      'revision',
      revision,
      flags.revision === undefined ? undefined : Number(flags.revision),
    ),
  }
  if (input.actionId === reservedActions.markDone.id) refuseOtherFields(input, [])
  if (input.actionId === reservedActions.rejectRequest.id) refuseOtherFields(input, ['feedback'])
  const record = await withService(async (service) =>
    answerAs(service, await actorOnBehalfOf(service, email, taskId), taskId, input),
  )
  // The task has ended, because a task whose review needs several answers cannot be answered from the
  // command line.
  print(flags, record, [`${taskId} was answered with "${record.handled!.actionTitle}".`])
  return 0
}

async function answerAs(
  service: Service,
  actor: PersonActor,
  taskId: string,
  input: HandleTask,
): Promise<TaskRecord> {
  const { actionId, data, revision } = input
  if (actionId === reservedActions.markDone.id) return await markDone(service, actor, taskId, { revision })
  if (actionId !== reservedActions.rejectRequest.id) return await handleTask(service, actor, taskId, input)
  const feedback = flagValue('data feedback', RejectTask.shape.feedback, data?.feedback)
  return await rejectTask(service, actor, taskId, { feedback, revision })
}

/** Built-in actions have no form that refuses fields. */
function refuseOtherFields({ actionId, data = {} }: HandleTask, names: string[]): void {
  const other = Object.keys(data).find((name) => !names.includes(name))
  if (other !== undefined) throw new UsageError(`--data ${other}: ${actionId} does not have this field.`)
}

function parseData(text: string | undefined): unknown {
  if (text === undefined) return undefined
  const result = parseJsonText(text, bodyLimits)
  if ('value' in result) return result.value
  throw new UsageError(
    `--data: ${result.violations.map(({ path, message }) => `${path} ${message}`.trim()).join(' ')}`,
  )
}
