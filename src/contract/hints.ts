import { prefixWarning } from './forms/hint-prefix.ts'
import { isObject, own } from './forms/json.ts'
import { pathTo, type Violation, Violations } from './violation.ts'
import { type ContextWidget, contextWidgets, maxItemsChecked, widgetRequirements } from './widget-values.ts'

const known: ReadonlySet<string> = new Set(contextWidgets)
const knownHints: ReadonlySet<string> = new Set(['title', 'description', 'widget', 'options'])

/** Warnings about `context.ui`. Invalid hints never fail a task: the default is shown instead. */
export function contextWarnings(data: unknown, ui: unknown): Violation[] {
  const warnings = new Violations()
  if (ui !== undefined) warnAboutFields(ui, [data], 'context.ui', warnings)
  return warnings.list
}

/**
 * `values`: the value that the hints apply to or, for `items`, the first elements of the list. Empty
 * if there is none; the hints are checked nevertheless, so that all mistakes are reported at once.
 */
function warnAboutFields(
  hints: unknown,
  values: readonly unknown[],
  path: string,
  warnings: Violations,
): void {
  if (!isObject(hints)) {
    warnings.add(path, 'Hints must be an object, so this is ignored.')
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
      const unprefixed = inner.length === 0 ? prefixWarning(key, hints[key], knownHints) : undefined
      // Without values it is unknown which fields they would have.
      if (unprefixed !== undefined) warnings.add(at, unprefixed)
      else if (inner.length === 0 && values.length > 0 && key !== 'items')
        warnings.add(at, 'There is no such field in the data, so this hint is ignored.')
      if (inner.length > 0 || (unprefixed === undefined && isObject(hints[key])))
        warnAboutFields(hints[key], inner, at, warnings)
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
    warnings.add(
      path,
      `Unknown widget, so the default is shown. Known widgets: ${contextWidgets.join(', ')}.`,
    )
    return
  }
  const { description, isMet } = widgetRequirements[widget]
  // null counts as a missing value.
  if (values.some((value) => value !== null && !isMet(value)))
    warnings.add(path, `The widget ${widget} requires ${description}, so the default is shown.`)
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
