import type { Action } from '../../../../contract/action.ts'
import { type WinnerProperty, winnerPropertiesOf } from '../../../../contract/compare.ts'
import { isObject, type JsonObject, own } from '../../../../contract/forms/json.ts'
import { optionsOf } from '../../../../contract/forms/options-of.ts'
import { resolveReference } from '../../../../contract/forms/reference.ts'
import type { MemberTaskRecord } from '../../../../contract/task.ts'
import { type ComparisonLayout, hiddenName } from '../../../widgets/comparisons.ts'
import { createNameHider, type Hide, hideEverywhere, hideInHints, hideInSchema } from './name-hider.ts'

type Compared = ReadonlyMap<string, JsonObject[]>
type Layouts = ReadonlyMap<string, ComparisonLayout>

/**
 * The task as this person sees it: options that name a winner follow the order of the panes, and
 * the texts outside the data of the context contain no names of a blind comparison. The values that
 * an answer may contain do not change.
 */
export function taskForDisplay(
  task: MemberTaskRecord,
  compared: Compared,
  layouts: Layouts,
): MemberTaskRecord {
  const isBlind = [...layouts.values()].some((layout) => layout.isBlind)
  const isReordered = [...layouts.values()].some(({ order }) =>
    order.some((item, position) => item !== position),
  )
  if (!isBlind && !isReordered) return task
  const hide = createNameHider(compared, layouts)
  const { context, latestUpdate } = task
  return {
    ...task,
    name: hide(task.name),
    description: hide(task.description),
    ...(task.actions && {
      actions: task.actions.map((action) => actionForDisplay(task, action, layouts, hide)),
    }),
    ...(context && { context: { ...context, ...(context.ui && { ui: hideInHints(context.ui, hide) }) } }),
    ...(latestUpdate && { latestUpdate: { ...latestUpdate, message: hide(latestUpdate.message) } }),
  }
}

/**
 * The context for display: hides names in fields other than the compared ones, for example in a list
 * of scores. Forms use the original context, because prefilled values become part of the answer.
 */
export function contextForDisplay({ context }: MemberTaskRecord, compared: Compared, layouts: Layouts) {
  const hide = createNameHider(compared, layouts)
  const data = Object.entries(context?.data ?? {}).map(([field, value]) => [
    field,
    compared.has(field) ? value : hideEverywhere(value, hide),
  ])
  return context && { ...context, data: Object.fromEntries(data) as JsonObject }
}

/**
 * The whole task, with the items of blind comparisons in the order on screen, without their names
 * and sources.
 */
export function anonymizedPayload(
  displayed: MemberTaskRecord,
  compared: Compared,
  layouts: Layouts,
): unknown {
  const hide = createNameHider(compared, layouts)
  const data: Record<string, unknown> = { ...displayed.context?.data }
  for (const [field, { order, isBlind }] of layouts) {
    if (isBlind) data[field] = order.map((item) => compared.get(field)?.[item])
  }
  return hideEverywhere(
    { ...displayed, ...(displayed.context && { context: { ...displayed.context, data } }) },
    hide,
  )
}

function actionForDisplay(task: MemberTaskRecord, action: Action, layouts: Layouts, hide: Hide): Action {
  const winnerProperties = winnerPropertiesOf(task.context, action)
  const ordered = winnerProperties.reduce(
    (form, winnerProperty) => withOptionsInPaneOrder(form, winnerProperty, layouts),
    action,
  )
  const { schema, ui, description } = ordered
  return {
    ...ordered,
    title: hide(action.title),
    ...(description !== undefined && { description: hide(description) }),
    ...(schema && { schema: hideInSchema(schema, hide) as JsonObject }),
    ...(ui && { ui: hideInHints(ui, hide) }),
  }
}

/**
 * Puts the options that name items first, in the order of the panes, so that a digit means the same
 * item in form and panes.
 */
function withOptionsInPaneOrder(
  action: Action,
  { field, property, values }: WinnerProperty,
  layouts: Layouts,
): Action {
  const layout = layouts.get(field)
  const properties = action.schema && own(action.schema, 'properties')
  const declared = isObject(properties) ? own(properties, property) : undefined
  const schema = isObject(declared)
    ? (resolveReference(action.schema, own(declared, '$ref')) ?? declared)
    : undefined
  const hints = action.ui && own(action.ui, property)
  const options = schema && optionsOf(schema, isObject(hints) ? hints : {})
  if (!layout || !schema || !options) return action

  const positionOf = new Map(layout.order.map((item, position) => [values[item], position]))
  const sorted = options
    .map(({ value, label }) => {
      const position = positionOf.get(value) ?? options.length
      const isItem = positionOf.has(value)
      return { value, label: layout.isBlind && isItem ? hiddenName(position) : label, position }
    })
    .sort((a, b) => a.position - b.position)
  const { oneOf: _, enumNames: __, ...rest } = schema
  return {
    ...action,
    schema: {
      ...action.schema,
      properties: {
        ...(properties as JsonObject),
        [property]: {
          ...rest,
          enum: sorted.map(({ value }) => value),
          enumNames: sorted.map(({ label }) => label),
        },
      },
    },
    ...(isObject(hints) && { ui: { ...action.ui, [property]: withoutLabelsAndOrder(hints) } }),
  }
}

/** Removes the labels and the order of options from the hints: the schema has both. */
function withoutLabelsAndOrder({
  'ui:enumNames': _,
  'ui:enumOrder': __,
  'ui:options': options,
  ...rest
}: JsonObject): JsonObject {
  if (!isObject(options)) return rest
  const { enumNames: ___, enumOrder: ____, ...otherOptions } = options
  return { ...rest, 'ui:options': otherOptions }
}
