import type { Action } from '../../../../contract/action.ts'
import { equalJson, isObject, type JsonObject, own } from '../../../../contract/forms/json.ts'
import { prefilledFields, valueAt, valueAtSteps, withPrefill } from '../../../../contract/forms/prefill.ts'
import { resolveReference } from '../../../../contract/forms/reference.ts'
import { propertiesOf } from '../../../../contract/forms/resolve-refs.ts'
import type { Draft } from '../../../../contract/inbox.ts'
import type { TaskRecord } from '../../../../contract/task.ts'
import type { Context } from '../../../../contract/task-fields.ts'
import { startValues } from '../../form/cleared-defaults.ts'

type ActionForm = { action: Action; context: Context | undefined }

/**
 * The drafts, adapted to the current revision. A draft of an earlier revision keeps the fields that
 * are the same in both forms. All other fields, and prefilled values that the person did not change,
 * get the values with which the new form starts.
 */
export function adaptDrafts(drafts: Draft[], task: TaskRecord | undefined): Draft[] {
  if (!task || task.revision === 1) return drafts
  return drafts.map((draft) => {
    // A tab that was opened before drafts had revisions may have kept a draft without one.
    const writtenFor = draft.revision ?? 1
    const written = task.revisions?.find(({ revision }) => revision === writtenFor)
    const before = written && formOf(written, draft.actionId)
    const after = formOf(task, draft.actionId)
    return before && after ? { ...draft, data: adaptedData(draft.data, before, after) } : draft
  })
}

/** A number that rises when a revision changes the form of an action or its prefilled values. */
export function formVersion(task: TaskRecord | undefined, actionId: string): number {
  const current = task && formOf(task, actionId)
  const different = task?.revisions?.findLast((past) => {
    const before = formOf(past, actionId)
    return !before || !current || !isSameForm(before, current)
  })
  return different?.revision ?? 0
}

function formOf(
  { actions, context }: Pick<TaskRecord, 'actions' | 'context'>,
  id: string,
): ActionForm | undefined {
  const action = actions?.find((other) => other.id === id)
  return action && { action, context }
}

function isSameForm(before: ActionForm, after: ActionForm): boolean {
  return (
    equalJson(before.action.schema, after.action.schema) &&
    equalJson(before.action.ui, after.action.ui) &&
    equalJson(prefillsOf(before), prefillsOf(after))
  )
}

function adaptedData(data: Draft['data'], before: ActionForm, after: ActionForm): Draft['data'] {
  const start = initialFormData(after)
  const same = new Set(
    [...Object.keys(start), ...Object.keys(data)].filter((field) => isSameField(field, before, after)),
  )
  const adapted = Object.fromEntries([
    ...Object.entries(start).filter(([field]) => !same.has(field)),
    ...Object.entries(data).filter(([field]) => same.has(field)),
  ])
  const unchanged = prefillsOf(before).filter(
    ({ steps, value }) => same.has(steps[0]!) && equalJson(valueAtSteps(data, steps), value),
  )
  return unchanged.reduce(
    (values, { steps }) => withValueAt(values, steps, valueAtSteps(start, steps)),
    adapted,
  )
}

/**
 * What the form starts with if there is no draft. `edited`: texts that the person has edited, by
 * source. They replace those of the context.
 */
export function initialFormData(
  { action: { schema, ui }, context }: ActionForm,
  edited?: ReadonlyMap<string, string>,
): Record<string, unknown> {
  return startValues(
    withPrefill(schema ?? {}, ui, (source) => edited?.get(source) ?? valueAt(context?.data, source)),
  )
}

function withValueAt(
  object: JsonObject,
  [name, ...rest]: readonly string[],
  value: unknown,
): Record<string, unknown> {
  if (name === undefined) return { ...object }
  const inner = own(object, name)
  return {
    ...object,
    [name]: rest.length > 0 ? withValueAt(isObject(inner) ? inner : {}, rest, value) : value,
  }
}

/** Whether a field has the same schema, including what it refers to, and the same label and other hints. */
function isSameField(field: string, before: ActionForm, after: ActionForm): boolean {
  if (!equalJson(own(before.action.ui ?? {}, field), own(after.action.ui ?? {}, field))) return false
  const references = new Set<string>()
  const pairs = [[propertyOf(before, field), propertyOf(after, field)]]
  for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
    if (!equalJson(pair[0], pair[1])) return false
    for (const reference of referencesIn(pair[0])) {
      if (references.has(reference)) continue
      references.add(reference)
      pairs.push([before, after].map(({ action }) => resolveReference(action.schema, reference)))
    }
  }
  return true
}

function* referencesIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    if (name === '$ref' && typeof inner === 'string') yield inner
    else yield* referencesIn(inner)
  }
}

function prefillsOf({ action: { schema, ui }, context }: ActionForm) {
  return prefilledFields(schema, ui, context?.data)
}

/**
 * The schema of a field. If `properties` does not list the field, the schema of the whole form,
 * because another part of it may define the field.
 */
function propertyOf({ action: { schema = {} } }: ActionForm, field: string): unknown {
  return own(propertiesOf(schema), field) ?? schema
}
