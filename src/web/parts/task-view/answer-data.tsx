import type { TaskRecord } from '../../../contract/task.ts'
import { readHints } from '../../widgets/hints.ts'
import { Value } from '../../widgets/value.tsx'
import { presentAnswer } from './present-answer.ts'

/** The data of the answer. Lazily loaded with the context widgets. */
export default function AnswerData({ task }: { task: TaskRecord }) {
  const { handled, actions } = task
  if (!handled) return null
  const { value, ui } = presentAnswer(
    actions?.find(({ id }) => id === handled.actionId),
    handled.data,
  )
  return <Value value={value} hints={readHints(ui)} />
}
