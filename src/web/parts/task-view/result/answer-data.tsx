import type { Action } from '../../../../contract/action.ts'
import { equalJson, type JsonObject } from '../../../../contract/forms/json.ts'
import { type PrefilledField, prefilledFields, valueAtSteps } from '../../../../contract/forms/prefill.ts'
import type { TaskRecord } from '../../../../contract/task.ts'
import { readHints } from '../../../widgets/hints.ts'
import { Value } from '../../../widgets/value.tsx'
import { answerForDisplay } from './answer-for-display.ts'
import { EditedAnswer } from './edited-answer.tsx'

/**
 * The data of the answer, with what the person changed. Loaded on demand, because it needs the
 * context widgets.
 */
export default function AnswerData({ task }: { task: TaskRecord }) {
  const { handled, actions, context } = task
  if (!handled) return null
  const action = actions?.find(({ id }) => id === handled.actionId)
  const edits = handled.edits
    ? prefilledFields(action?.schema, action?.ui, context?.data)
        .map((field) => ({ ...field, after: valueAtSteps(handled.data, field.steps) }))
        .filter(({ value, after }) => !equalJson(value, after))
    : []
  const rest = withoutFields(handled.data, edits)
  return (
    <>
      {edits.map((field) => (
        <EditedAnswer key={field.steps.join('.')} field={field} after={field.after} />
      ))}
      <AnswerValues action={action} data={rest} />
    </>
  )
}

export function AnswerValues({ action, data }: { action: Action | undefined; data: JsonObject }) {
  if (Object.keys(data).length === 0) return null
  const { value, ui } = answerForDisplay(action, data)
  return <Value value={value} hints={readHints(ui)} />
}

/**
 * The data without the fields whose changes are shown. A changed field inside an object stays, with
 * the whole object.
 */
function withoutFields(data: JsonObject, edits: readonly PrefilledField[]): JsonObject {
  const shown = new Set(edits.filter(({ steps }) => steps.length === 1).map(({ steps }) => steps[0]))
  return Object.fromEntries(Object.entries(data).filter(([name]) => !shown.has(name)))
}
