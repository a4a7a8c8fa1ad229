const TEXT = ['string']
const NUMBER = ['number', 'integer']
const ANY = [...TEXT, ...NUMBER, 'boolean', 'array', 'object', 'null']

/** The widgets a form may ask for, with the types each can show. */
const WIDGETS: ReadonlyMap<string, readonly string[]> = new Map([
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

export const FORM_WIDGETS: readonly string[] = [...WIDGETS.keys()]

/** Why a widget cannot show a field; undefined when it can, or when the field's type is not told. */
export function widgetProblem(widget: unknown, types: readonly string[]): string | undefined {
  const shown = typeof widget === 'string' ? WIDGETS.get(widget) : undefined
  if (!shown) return `Unknown widget, so the default is shown. Known are ${FORM_WIDGETS.join(', ')}.`
  const misfit = types.find((type) => type !== 'null' && !shown.includes(type))
  return misfit === undefined
    ? undefined
    : `The widget ${widget} cannot show the type ${misfit}, so the default is shown.`
}
