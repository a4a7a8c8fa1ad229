import type { Action } from '../../../contract/action.ts'
import { type Decision, decisionsOf } from '../../../contract/compare.ts'
import { isObject, type JsonObject, own } from '../../../contract/forms/json.ts'
import { optionsOf } from '../../../contract/forms/options-of.ts'
import { resolveReference } from '../../../contract/forms/reference.ts'
import type { MemberTaskRecord } from '../../../contract/task.ts'
import { type ComparisonLayout, hiddenName } from '../../widgets/comparisons.ts'
import { type Hide, hideEverywhere, hideInHints, hideInSchema, nameHider } from './name-hider.ts'

type Compared = ReadonlyMap<string, JsonObject[]>
type Standings = ReadonlyMap<string, ComparisonLayout>

/**
 * The task as shown to this person: options that name a winner follow the order of the panes, and labels of
 * blind comparisons contain no names. The allowed answer values do not change.
 */
export function shownTask(
  task: MemberTaskRecord,
  compared: Compared,
  standings: Standings,
): MemberTaskRecord {
  const isBlind = [...standings.values()].some((standing) => standing.isBlind)
  const isMoved = [...standings.values()].some(({ order }) => order.some((item, place) => item !== place))
  if (!isBlind && !isMoved) return task
  const hide = nameHider(compared, standings)
  const { context, latestUpdate } = task
  return {
    ...task,
    name: hide(task.name),
    description: hide(task.description),
    ...(task.actions && {
      actions: task.actions.map((action) => shownAction(task, action, standings, hide)),
    }),
    ...(context && { context: { ...context, ...(context.ui && { ui: hideInHints(context.ui, hide) }) } }),
    ...(latestUpdate && { latestUpdate: { ...latestUpdate, message: hide(latestUpdate.message) } }),
  }
}

/**
 * The context for display: hides names outside the compared items, for example in a list of scores. Forms
 * use the original context, because prefilled values become part of the answer.
 */
export function shownContext({ context }: MemberTaskRecord, compared: Compared, standings: Standings) {
  const hide = nameHider(compared, standings)
  const data = Object.entries(context?.data ?? {}).map(([field, value]) => [
    field,
    compared.has(field) ? value : hideEverywhere(value, hide),
  ])
  return context && { ...context, data: Object.fromEntries(data) as JsonObject }
}

/** The payload without anything that identifies the items of a blind comparison. */
export function hiddenPayload(shown: MemberTaskRecord, compared: Compared, standings: Standings): unknown {
  const hide = nameHider(compared, standings)
  const data: Record<string, unknown> = { ...shown.context?.data }
  for (const [field, { order, isBlind }] of standings) {
    if (isBlind) data[field] = order.map((item) => compared.get(field)?.[item])
  }
  return hideEverywhere({ ...shown, ...(shown.context && { context: { ...shown.context, data } }) }, hide)
}

function shownAction(task: MemberTaskRecord, action: Action, standings: Standings, hide: Hide): Action {
  const decisions = decisionsOf(task.context, action)
  const ordered = decisions.reduce((form, decision) => inOrder(form, decision, standings), action)
  const { schema, ui, description } = ordered
  return {
    ...ordered,
    title: hide(action.title),
    ...(description !== undefined && { description: hide(description) }),
    ...(schema && { schema: hideInSchema(schema, hide) as JsonObject }),
    ...(ui && { ui: hideInHints(ui, hide) }),
  }
}

/** Puts the options for items first, in pane order, so that digits match in form and panes. */
function inOrder(action: Action, { field, property, values }: Decision, standings: Standings): Action {
  const standing = standings.get(field)
  const properties = action.schema && own(action.schema, 'properties')
  const written = isObject(properties) ? own(properties, property) : undefined
  const schema = isObject(written)
    ? (resolveReference(action.schema, own(written, '$ref')) ?? written)
    : undefined
  const hints = action.ui && own(action.ui, property)
  const options = schema && optionsOf(schema, isObject(hints) ? hints : {})
  if (!standing || !schema || !options) return action

  const placeOf = new Map(standing.order.map((item, place) => [values[item], place]))
  const sorted = options
    .map(({ value, label }) => {
      const place = placeOf.get(value) ?? options.length
      const isItem = placeOf.has(value)
      return { value, label: standing.isBlind && isItem ? hiddenName(place) : label, place }
    })
    .sort((one, other) => one.place - other.place)
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
    ...(isObject(hints) && { ui: { ...action.ui, [property]: withoutLabels(hints) } }),
  }
}

/** Removes labels from the hints; the schema contains them in the new order. */
function withoutLabels({
  'ui:enumNames': _,
  'ui:enumOrder': __,
  'ui:options': options,
  ...rest
}: JsonObject): JsonObject {
  if (!isObject(options)) return rest
  const { enumNames: ___, enumOrder: ____, ...kept } = options
  return { ...rest, 'ui:options': kept }
}
