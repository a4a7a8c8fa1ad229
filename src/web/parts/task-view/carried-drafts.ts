import type { Action } from '../../../contract/action.ts'
import { equalJson, isObject, own } from '../../../contract/forms/json.ts'
import { prefilledFields, valueAtSteps } from '../../../contract/forms/prefill.ts'
import type { Draft } from '../../../contract/inbox.ts'
import type { Context, TaskRecord } from '../../../contract/task.ts'

type Form = { action: Action; context: Context | undefined }

/**
 * Drafts as far as they apply to the current revision. Of a draft of an earlier one, fields stay that are the same in
 * both forms, unless they were prefilled, unchanged by the person, and now start with another value.
 */
export function carriedDrafts(drafts: Draft[], task: TaskRecord | undefined): Draft[] {
  if (!task || task.revision === 1) return drafts
  return drafts.map((draft) => {
    // A tab from before drafts had revisions may have kept one without.
    const writtenFor = draft.revision ?? 1
    const written = task.revisions?.find(({ revision }) => revision === writtenFor)
    const before = written && formOf(written, draft.actionId)
    const after = formOf(task, draft.actionId)
    return before && after ? { ...draft, data: carriedData(draft.data, before, after) } : draft
  })
}

/** Rises when the form of an action, or what it starts with, changes from one revision to the next. */
export function formVersion(task: TaskRecord | undefined, actionId: string): number {
  const current = task && formOf(task, actionId)
  const different = task?.revisions?.findLast((past) => {
    const before = formOf(past, actionId)
    return !before || !current || !isSameForm(before, current)
  })
  return different?.revision ?? 0
}

function formOf({ actions, context }: Pick<TaskRecord, 'actions' | 'context'>, id: string): Form | undefined {
  const action = actions?.find((other) => other.id === id)
  return action && { action, context }
}

function isSameForm(before: Form, after: Form): boolean {
  return (
    equalJson(before.action.schema, after.action.schema) &&
    equalJson(before.action.ui, after.action.ui) &&
    equalJson(prefillsOf(before), prefillsOf(after))
  )
}

function carriedData(data: Draft['data'], before: Form, after: Form): Draft['data'] {
  const prefills = prefillsOf(after)
  const startOf = (steps: readonly string[]) => prefills.find((field) => equalJson(field.steps, steps))?.value
  const isReplaced = (field: string) =>
    prefillsOf(before).some(
      ({ steps, value }) =>
        steps[0] === field &&
        equalJson(valueAtSteps(data, steps), value) &&
        !equalJson(startOf(steps), value),
    )
  const isSameField = (field: string) => equalJson(propertyOf(before, field), propertyOf(after, field))
  return Object.fromEntries(
    Object.entries(data).filter(([field]) => isSameField(field) && !isReplaced(field)),
  )
}

function prefillsOf({ action: { schema, ui }, context }: Form) {
  return prefilledFields(schema, ui, context?.data)
}

function propertyOf({ action: { schema } }: Form, field: string): unknown {
  const properties = schema && own(schema, 'properties')
  return isObject(properties) ? own(properties, field) : undefined
}
