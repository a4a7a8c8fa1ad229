import { TaskId } from '../contract/ids.ts'
import { bodyLimits, parseJsonText } from '../contract/json-text.ts'
import { HandleTask } from '../contract/task-answer.ts'
import { handleTask } from '../server/domain/tasks/handle-task.ts'
import { actAs } from '../server/domain/workspaces/operator.ts'
import { flagValue, parseFlags, requireFlag, UsageError } from './arguments.ts'
import { print, withService } from './with-service.ts'

export async function answer(argv: string[]): Promise<number> {
  const { flags, positionals } = parseFlags(argv, ['action', 'data', 'as', 'revision'])
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
  const record = await withService(async (service) =>
    handleTask(service, await actAs(service, email, taskId), taskId, input),
  )
  // Never still open: a review that needs several answers refuses the command line.
  print(flags, record, [`${taskId} was answered with "${record.handled!.actionTitle}".`])
  return 0
}

function parseData(text: string | undefined): unknown {
  if (text === undefined) return undefined
  const result = parseJsonText(text, bodyLimits)
  if ('value' in result) return result.value
  throw new UsageError(
    `--data: ${result.violations.map(({ path, message }) => `${path} ${message}`.trim()).join(' ')}`,
  )
}
