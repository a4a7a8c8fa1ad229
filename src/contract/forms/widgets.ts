const text = ['string']
const number = ['number', 'integer']
const any = [...text, ...number, 'boolean', 'array', 'object', 'null']

/** The widgets a form may use, with the types each can show. */
const widgetTypes: ReadonlyMap<string, readonly string[]> = new Map([
  ['radio', [...text, ...number, 'boolean']],
  ['select', [...text, ...number, 'boolean', 'array']],
  ['checkboxes', ['array']],
  ['checkbox', ['boolean']],
  ['toggle', ['boolean']],
  ['text', [...text, ...number]],
  ['textarea', text],
  ['password', text],
  ['email', text],
  ['uri', text],
  ['url', text],
  ['date', text],
  ['time', text],
  ['date-time', text],
  ['datetime', text],
  ['updown', number],
  ['range', number],
  ['slider', number],
  ['rating', number],
  ['tags', ['array']],
  ['hidden', any],
])

export const formWidgets: readonly string[] = [...widgetTypes.keys()]

/** Why a widget cannot show a field; undefined if it can or the field's type is unknown. */
export function widgetProblem(widget: unknown, type: string | undefined): string | undefined {
  const supported = typeof widget === 'string' ? widgetTypes.get(widget) : undefined
  if (!supported) return `Unknown widget, so the default is shown. Known widgets: ${formWidgets.join(', ')}.`
  return type === undefined || supported.includes(type)
    ? undefined
    : `The widget ${widget} cannot show the type ${type}, so the default is shown.`
}
