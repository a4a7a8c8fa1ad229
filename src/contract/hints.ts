import { isObject, own } from './forms/json.ts'
import { pathTo, type Violation, Violations } from './violation.ts'
import { type ContextWidget, contextWidgets, widgetNeeds } from './widget-values.ts'

const known: ReadonlySet<string> = new Set(contextWidgets)

// Enough to know which fields the elements of a list have, however long the list and the hints are.
const maxItemsChecked = 100

/** What a sender should know about `context.ui`. Nothing in it can make a task fail: the default is shown instead. */
export function contextWarnings(data: unknown, ui: unknown): Violation[] {
  const warnings = new Violations()
  if (ui !== undefined) warnAboutFields(ui, [data], 'context.ui', warnings)
  return warnings.list
}

/** `values`: what the hints are for, one value, or for `items` all elements of a list. As deep as the hints are. */
function warnAboutFields(
  hints: unknown,
  values: readonly unknown[],
  path: string,
  warnings: Violations,
): void {
  if (!isObject(hints)) {
    warnings.add(path, 'Hints must be an object, so this is left out.')
    return
  }
  for (const key of Object.keys(hints)) {
    if (warnings.isFull) return
    const at = pathTo(path, key)
    if (key === 'ui:widget') {
      warnAboutWidget(hints[key], values, at, warnings)
    } else if (!key.startsWith('ui:')) {
      const inner =
        key === 'items' && values.some(Array.isArray)
          ? values.flatMap(elements).slice(0, maxItemsChecked)
          : fieldsNamed(values, key)
      // An empty list has no elements to tell whether their fields exist.
      if (inner.length > 0) warnAboutFields(hints[key], inner, at, warnings)
      else if (values.length > 0 && key !== 'items') {
        warnings.add(at, 'There is no such field in the data, so this hint is left out.')
      }
    }
  }
}

function warnAboutWidget(
  widget: unknown,
  values: readonly unknown[],
  path: string,
  warnings: Violations,
): void {
  if (!isWidget(widget)) {
    warnings.add(path, `Unknown widget, so the default is shown. Known are ${contextWidgets.join(', ')}.`)
    return
  }
  const { what, isMet } = widgetNeeds[widget]
  // null is a value that is not there.
  if (values.some((value) => value !== null && !isMet(value)))
    warnings.add(path, `The widget ${widget} needs ${what}, so the default is shown.`)
}

function isWidget(widget: unknown): widget is ContextWidget {
  return typeof widget === 'string' && known.has(widget)
}

function elements(value: unknown): unknown[] {
  return Array.isArray(value) ? value.slice(0, maxItemsChecked) : []
}

function fieldsNamed(values: readonly unknown[], name: string): unknown[] {
  return values.flatMap((value) => (isObject(value) && Object.hasOwn(value, name) ? [own(value, name)] : []))
}
