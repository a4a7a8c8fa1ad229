import type { Action } from '../../../../contract/action.ts'
import { jsonPatch } from '../../../../contract/edits/json-patch.ts'
import { equalJson, isObject, own } from '../../../../contract/forms/json.ts'
import { valueAtSteps } from '../../../../contract/forms/prefill.ts'
import type { TaskRecord } from '../../../../contract/task.ts'
import { hintsOf, titleOf } from '../../../widgets/hints.ts'

/** One value that changed. Undefined: there was no value before, or there is none any more. */
export type ValueChange = { path: string[]; before: unknown; after: unknown }
/**
 * A part of the task that changed. `values` is empty if only its display changed, or if its values
 * are hidden.
 */
export type PartChange = {
  label: string
  values: ValueChange[]
  /** The context field, if the part is one. */
  field?: string
}

type RevisionContent = Pick<TaskRecord, 'name' | 'description' | 'context' | 'actions'>

/** The content of a revision of the task. Undefined if it was deleted. */
export function contentOf(task: TaskRecord, revision: number): RevisionContent | undefined {
  return revision === task.revision ? task : task.revisions?.find((past) => past.revision === revision)
}

/**
 * What changed from one revision to another, in the order in which the task shows it.
 * `hiddenFields`: fields of the context that are compared blind, whose values must not be shown.
 */
export function revisionChanges(
  before: RevisionContent,
  after: RevisionContent,
  hiddenFields: ReadonlySet<string> = new Set(),
): PartChange[] {
  return [
    ...changedPart('Name', before.name, after.name),
    ...changedPart('Description', before.description, after.description),
    ...contextChanges(before, after, hiddenFields),
    ...actionChanges(before.actions ?? [], after.actions ?? []),
  ]
}

function changedPart(label: string, before: unknown, after: unknown): PartChange[] {
  return equalJson(before, after) ? [] : [{ label, values: valueChanges(before, after) }]
}

function contextChanges(
  before: RevisionContent,
  after: RevisionContent,
  hiddenFields: ReadonlySet<string>,
): PartChange[] {
  const [old, fresh] = [before.context?.data ?? {}, after.context?.data ?? {}]
  const fields = [...new Set([...Object.keys(fresh), ...Object.keys(old)])]
  const changes = fields.flatMap((field) => {
    const ui = Object.hasOwn(fresh, field) ? after.context?.ui : before.context?.ui
    const changed = changedPart(titleOf(field, hintsOf(ui, field)), own(old, field), own(fresh, field))
    return changed.map((part) => ({ ...part, field, ...(hiddenFields.has(field) && { values: [] }) }))
  })
  const isDisplayChanged = !equalJson(before.context?.ui ?? {}, after.context?.ui ?? {})
  return isDisplayChanged ? [...changes, { label: 'Display of the fields', values: [] }] : changes
}

function actionChanges(before: Action[], after: Action[]): PartChange[] {
  const byId = (actions: Action[], id: string) => actions.find((action) => action.id === id)
  const ids = new Set([...after, ...before].map(({ id }) => id))
  return [...ids].flatMap((id) => {
    const [old, fresh] = [byId(before, id), byId(after, id)]
    const label = `Action “${(fresh ?? old)?.title}”`
    if (old && fresh) return changedPart(label, old, fresh)
    return [{ label, values: [{ path: [], before: old?.title, after: fresh?.title }] }]
  })
}

/**
 * The single values that differ inside two objects or two lists. Any other value counts as replaced
 * as a whole.
 */
function valueChanges(before: unknown, after: unknown): ValueChange[] {
  const areComparable =
    (isObject(before) && isObject(after)) || (Array.isArray(before) && Array.isArray(after))
  if (!areComparable) return [{ path: [], before, after }]
  return [...jsonPatch(before, after)].map((operation) => {
    const path = operation.path.split('/').slice(1).map(unescapePointer)
    return {
      path,
      before: operation.op === 'add' ? undefined : valueAtSteps(before, path),
      after: operation.op === 'remove' ? undefined : operation.value,
    }
  })
}

/** Decodes a name in a JSON pointer (RFC 6901). */
function unescapePointer(name: string): string {
  return name.replaceAll('~1', '/').replaceAll('~0', '~')
}
