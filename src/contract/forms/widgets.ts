const TEXT = ['string']
const NUMBER = ['number', 'integer']
const ANY = [...TEXT, ...NUMBER, 'boolean', 'array', 'object', 'null']

/** The widgets a form may use, with the types each can show. */
const widgetTypes: ReadonlyMap<string, readonly string[]> = new Map([
  ['radio', [...TEXT, ...NUMBER, 'boolean']],
  ['select', [...TEXT, ...NUMBER, 'boolean', 'array']],
  ['checkboxes', ['array']],
  ['checkbox', ['boolean']],
  ['toggle', ['boolean']],
  ['text', [...TEXT, ...NUMBER]],
  ['textarea', TEXT],
  ['password', TEXT],
  ['email', TEXT],
  ['uri', TEXT],
  ['url', TEXT],
  ['date', TEXT],
  ['time', TEXT],
  ['date-time', TEXT],
  ['datetime', TEXT],
  ['updown', NUMBER],
  ['range', NUMBER],
  ['slider', NUMBER],
  ['rating', NUMBER],
  ['tags', ['array']],
  ['hidden', ANY],
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
