import type { Action } from '../../../../contract/action.ts'
import { fieldLabel } from '../../../../contract/forms/field-label.ts'
import { isObject, type JsonObject, own } from '../../../../contract/forms/json.ts'
import { type Option, optionsOf } from '../../../../contract/forms/options-of.ts'
import { valueAt, withPrefill } from '../../../../contract/forms/prefill.ts'
import type { Context } from '../../../../contract/task-fields.ts'
import { pathTo, type Violation } from '../../../../contract/violation.ts'
import { type Block, isPlain, plainText, slackLimits } from './text.ts'

/** One field of a form as an input of a Slack modal. */
type SlackField = {
  name: string
  blockId: string
  block: Block
  /** The value in the answer, from what Slack submits. undefined or null: left empty. */
  read(submitted: Submitted): unknown
}

export type Submitted = {
  value?: string | null | undefined
  selected_date?: string | null | undefined
  selected_option?: { value: string } | null | undefined
  selected_options?: { value: string }[] | null | undefined
}

type Element = Pick<SlackField, 'read'> & { element: Block }

/** All inputs have this action id; they differ by their block id. */
export const inputId = 'value'

const maxFields = 40
const rootKeywords = [
  '$schema',
  'type',
  'title',
  'description',
  'properties',
  'required',
  'additionalProperties',
]
const fieldKeywords = [
  'type',
  'title',
  'description',
  'default',
  'examples',
  'enum',
  'enumNames',
  'oneOf',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'items',
  'uniqueItems',
  'minItems',
  'maxItems',
]
const textFormats = [undefined, 'email', 'uri', 'url']
const fieldHints = [
  'ui:widget',
  'ui:title',
  'ui:description',
  'ui:help',
  'ui:placeholder',
  'ui:enumNames',
  'ui:options',
]
const fieldOptions = ['prefill', 'rows', 'enumNames']
const textWidgets = ['text', 'textarea', 'email', 'uri', 'url']

const hasOnly = (object: JsonObject, keys: string[]) => Object.keys(object).every((key) => keys.includes(key))

/**
 * Whether the action has something to fill in; otherwise a click is enough. A schema without
 * `properties` counts as a form if it has keywords that may define fields in another way.
 */
export function hasForm({ schema }: Action): boolean {
  if (schema === undefined) return false
  const properties = own(schema, 'properties') ?? {}
  const isEmpty = isObject(properties) && Object.keys(properties).length === 0
  return !isEmpty || !hasOnly(schema, rootKeywords) || own(schema, 'additionalProperties') === true
}

/**
 * The fields of the form. undefined: a part of the form has no equivalent in Slack, so the task is
 * answered in Handrail.
 */
export function fieldsOf(action: Action, context: Context | undefined): SlackField[] | undefined {
  const ui = action.ui ?? {}
  const original = action.schema ?? {}
  if (!hasOnly(original, rootKeywords) || own(original, 'additionalProperties') === true) return undefined
  if (Object.keys(ui).some((key) => key.startsWith('ui:'))) return undefined
  const schema = withPrefill(original, ui, (source) => valueAt(context?.data, source))
  const properties = own(schema, 'properties') ?? {}
  const required = own(schema, 'required') ?? []
  if (!isObject(properties) || !Array.isArray(required)) return undefined
  const names = Object.keys(properties)
  if (names.length > maxFields || required.some((name) => !names.includes(String(name)))) return undefined
  const fields: SlackField[] = []
  for (const [n, name] of names.entries()) {
    const field = fieldOf(name, n, properties[name], own(ui, name) ?? {}, required.includes(name))
    if (!field) return undefined
    fields.push(field)
  }
  return fields
}

function fieldOf(
  name: string,
  n: number,
  property: unknown,
  hints: unknown,
  isRequired: boolean,
): SlackField | undefined {
  if (!isObject(property) || !isObject(hints)) return undefined
  if (!hasOnly(property, fieldKeywords) || !hasOnly(hints, fieldHints)) return undefined
  const hintOptions = own(hints, 'ui:options') ?? {}
  if (!isObject(hintOptions) || !hasOnly(hintOptions, fieldOptions)) return undefined
  const label = fieldLabel(name, property, hints)
  const hint = [own(hints, 'ui:description') ?? own(property, 'description'), own(hints, 'ui:help')]
    .filter((text) => text !== undefined)
    .join('\n')
  const built = elementOf(property, hints)
  if (
    !built ||
    label === '' ||
    [label, hint].some((text) => text.length > slackLimits.label || !isPlain(text))
  )
    return undefined
  const blockId = `field-${n}`
  return {
    name,
    blockId,
    read: built.read,
    block: {
      type: 'input',
      block_id: blockId,
      optional: !isRequired,
      label: plainText(label, slackLimits.label),
      ...(hint !== '' && { hint: plainText(hint, slackLimits.label) }),
      element: { ...built.element, action_id: inputId },
    },
  }
}

function elementOf(property: JsonObject, hints: JsonObject): Element | undefined {
  const widget = own(hints, 'ui:widget')
  const options = optionsOf(property, hints)
  if (options)
    return property.default !== undefined && !isOffered(options, property.default)
      ? undefined
      : singleChoice(options, property, widget)
  switch (property.type) {
    case 'array':
      return multipleChoice(property, hints, widget)
    case 'string':
      return textElement(property, hints, widget)
    case 'integer':
    case 'number':
      return widget === undefined || widget === 'updown' || widget === 'text'
        ? numberElement(property)
        : undefined
    default:
      return undefined
  }
}

function singleChoice(options: Option[], property: JsonObject, widget: unknown): Element | undefined {
  if (![undefined, 'select', 'radio', 'checkbox', 'toggle'].includes(widget as string)) return undefined
  const offered = slackOptions(options)
  if (!offered || !['string', 'number', 'integer', 'boolean'].includes(String(property.type)))
    return undefined
  const isShort = options.length <= slackLimits.shownOptions && widget !== 'select'
  const initial = options.findIndex(({ value }) => value === property.default)
  return {
    element: {
      type: isShort ? 'radio_buttons' : 'static_select',
      options: offered,
      ...(initial >= 0 && { initial_option: offered[initial] }),
    },
    read: ({ selected_option }) => selected_option && options[Number(selected_option.value)]?.value,
  }
}

function multipleChoice(property: JsonObject, hints: JsonObject, widget: unknown): Element | undefined {
  const { items } = property
  if (!isObject(items) || !hasOnly(items, ['type', 'enum', 'enumNames', 'oneOf', 'title'])) return undefined
  if (![undefined, 'select', 'checkboxes'].includes(widget as string)) return undefined
  const options = optionsOf(items, hints)
  const offered = options && slackOptions(options)
  const initial = property.default ?? []
  if (!offered || !Array.isArray(initial) || !initial.every((value) => isOffered(options, value)))
    return undefined
  const isShort = options.length <= slackLimits.shownOptions && widget !== 'select'
  const chosen = offered.filter((_, n) => initial.includes(options[n]!.value))
  return {
    element: {
      type: isShort ? 'checkboxes' : 'multi_static_select',
      options: offered,
      ...(chosen.length > 0 && { initial_options: chosen }),
    },
    read: ({ selected_options }) =>
      selected_options?.length
        ? selected_options.map(({ value }) => options[Number(value)]?.value)
        : undefined,
  }
}

/** The value of an option is its index, because Slack limits the length of values. */
function slackOptions(options: Option[]): Block[] | undefined {
  const fits = ({ label }: Option) => label !== '' && label.length <= slackLimits.optionText && isPlain(label)
  if (options.length === 0 || options.length > slackLimits.options || !options.every(fits)) return undefined
  return options.map(({ label }, n) => ({ text: plainText(label), value: String(n) }))
}

function isOffered(options: Option[], value: unknown): boolean {
  return options.some((option) => option.value === value)
}

function textElement(property: JsonObject, hints: JsonObject, widget: unknown): Element | undefined {
  const initial = property.default
  if (
    initial !== undefined &&
    (typeof initial !== 'string' || !isPlain(initial) || initial.length > slackLimits.inputText)
  )
    return undefined
  if (property.format === 'date' && (widget === undefined || widget === 'date')) {
    if (initial !== undefined && !/^\d{4}-\d\d-\d\d$/.test(initial)) return undefined
    return {
      element: { type: 'datepicker', ...(initial !== undefined && { initial_date: initial }) },
      read: ({ selected_date }) => selected_date ?? undefined,
    }
  }
  if (!textFormats.includes(property.format as string | undefined)) return undefined
  if (widget !== undefined && !textWidgets.includes(String(widget))) return undefined
  const placeholder = own(hints, 'ui:placeholder')
  if (placeholder !== undefined && !(typeof placeholder === 'string' && isPlain(placeholder)))
    return undefined
  return {
    element: {
      type: 'plain_text_input',
      multiline: widget === 'textarea' || initial?.includes('\n') === true,
      ...(initial && { initial_value: initial }),
      ...(placeholder && { placeholder: plainText(placeholder, slackLimits.placeholder) }),
    },
    read: ({ value }) => value || undefined,
  }
}

function numberElement({ type, default: initial }: JsonObject): Element | undefined {
  if (initial !== undefined && typeof initial !== 'number') return undefined
  return {
    element: {
      type: 'number_input',
      is_decimal_allowed: type === 'number',
      ...(initial !== undefined && { initial_value: String(initial) }),
    },
    // A text that is not a number is kept, so that the check of the answer refuses it.
    read: ({ value }) => (value ? (Number.isFinite(Number(value)) ? Number(value) : value) : undefined),
  }
}

/** The data of the answer in a submitted modal. It has not been checked against the schema yet. */
export function readAnswer(
  fields: SlackField[],
  submitted: (blockId: string) => Submitted,
): Record<string, unknown> {
  const entries = fields.map(({ name, blockId, read }) => [name, read(submitted(blockId))] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== null))
}

/** The first error of each input, by its block id. undefined: an error does not belong to any input. */
export function errorsByInput(fields: SlackField[], errors: Violation[]): Record<string, string> | undefined {
  const byInput: Record<string, string> = {}
  for (const { path, message } of errors) {
    const field = fields.find(({ name }) => {
      const fieldPath = pathTo('data', name)
      return path === fieldPath || path.startsWith(`${fieldPath}.`) || path.startsWith(`${fieldPath}[`)
    })
    if (!field) return undefined
    byInput[field.blockId] ??= message
  }
  return byInput
}
