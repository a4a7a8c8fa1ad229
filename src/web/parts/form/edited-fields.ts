import { equalJson, isObject, type JsonObject, objectAt, own } from '../../../contract/forms/json.ts'
import { type PrefilledField, prefilledFields, valueAtSteps } from '../../../contract/forms/prefill.ts'
import type { TextPath } from '../../widgets/inline-editing.tsx'

/** Options of the field of an editable text. The form library passes them on in `ui:options`. */
export type EditOptions = {
  /** The text of the agent. */
  before: string
  isLong: boolean
  /** Where the context shows the text and its editor. Undefined: the form shows the editor. */
  path: TextPath | undefined
}

type EditableText = PrefilledField & { value: string }

/** The text fields of a form that start with a text of the context. */
export function editableTexts(
  { schema, ui }: { schema?: unknown; ui?: unknown },
  context: unknown,
): EditableText[] {
  return prefilledFields(schema, ui, context).filter(isText)
}

const textWidgets: ReadonlySet<unknown> = new Set([undefined, 'text', 'textarea'])

function isText(field: PrefilledField): field is EditableText {
  const { value, property, hints } = field
  const isPlain = ['enum', 'const', 'oneOf', 'anyOf', 'format', '$ref'].every((name) => !own(property, name))
  return (
    typeof value === 'string' &&
    own(property, 'type') === 'string' &&
    isPlain &&
    textWidgets.has(own(hints, 'ui:widget'))
  )
}

/** Hints for the form library that show the editor for these fields. */
export function withEditors(
  ui: JsonObject,
  texts: readonly EditableText[],
  pathOf: (source: string) => TextPath | undefined,
): JsonObject {
  return texts.reduce((hints, { steps, source, value, hints: { 'ui:widget': widget } }) => {
    const edit: EditOptions = {
      before: value,
      isLong: widget === 'textarea' || value.includes('\n'),
      path: pathOf(source),
    }
    return withHints(hints, steps, (field) => ({
      ...field,
      'ui:widget': 'editedText',
      'ui:options': { ...objectAt(field, 'ui:options'), edit },
    }))
  }, ui)
}

function withHints(
  ui: JsonObject,
  [name, ...rest]: readonly string[],
  change: (field: JsonObject) => JsonObject,
): JsonObject {
  if (name === undefined) return change(ui)
  return { ...ui, [name]: withHints(objectAt(ui, name), rest, change) }
}

export function editOptions(ui: unknown): EditOptions | undefined {
  const options = objectAt(isObject(ui) ? ui : undefined, 'ui:options')
  return own(options, 'edit') as EditOptions | undefined
}

/** Whether the answer changes a prefilled field. */
export function hasEdits(fields: readonly PrefilledField[], answer: unknown): boolean {
  return fields.some(({ steps, value }) => !equalJson(value, valueAtSteps(answer, steps)))
}
