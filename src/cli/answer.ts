import { TaskId } from '../contract/ids.ts'
import { parseJsonText } from '../contract/json-text.ts'
import { limits } from '../contract/limits.ts'
import { HandleTask } from '../contract/task.ts'
import { handleTask } from '../server/domain/tasks/handle-task.ts'
import { actAs } from '../server/domain/workspaces/operator.ts'
import { parseFlags, required, UsageError } from './arguments.ts'
import { check } from './setup.ts'
import { print, withService } from './with-service.ts'

export async function answer(argv: string[]): Promise<number> {
  const { flags, words } = parseFlags(argv, ['action', 'data', 'as'])
  const [taskId = ''] = words
  if (words.length !== 1 || !TaskId.safeParse(taskId).success)
    throw new UsageError('One task id is needed, tsk_…')
  const email = required(flags, 'as').toLowerCase()
  const input = check(
    'action',
    HandleTask.safeParse({
      actionId: required(flags, 'action'),
      data: readData(flags.data as string | undefined),
    }),
  )
  const record = await withService(async (service) =>
    handleTask(service, await actAs(service, email, taskId), taskId, input),
  )
  print(flags, record, [`${taskId} is handled with "${record.handled!.actionTitle}".`])
  return 0
}

function readData(text: string | undefined): unknown {
  if (text === undefined) return undefined
  const result = parseJsonText(text, { maxDepth: limits.bodyDepth })
  if ('value' in result) return result.value
  throw new UsageError(
    `--data: ${result.violations.map(({ path, message }) => `${path} ${message}`.trim()).join(' ')}`,
  )
}
