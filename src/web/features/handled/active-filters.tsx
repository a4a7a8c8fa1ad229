import { formatDayRange } from '../../lib/days.ts'
import { statusLabels } from '../../lib/status-labels.ts'
import type { NameOf } from '../../lib/use-members.ts'
import type { ActiveFilter } from '../../parts/task-list/filter-chips.tsx'
import { type HandledFilters, periodLabels } from '../../parts/task-list/handled-filters.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import type { FilterSetters } from './filter-choices.ts'
import { actionLabel, answererLabel } from './filter-labels.ts'

type Options = Pick<FilterSetters, 'setFilter'> & {
  filters: HandledFilters
  /** Titles by action id, from the tasks that are loaded. */
  actionTitles: ReadonlyMap<string, string>
  /** Names by rule id, from the tasks that are loaded. */
  ruleNames: ReadonlyMap<string, string>
  nameOf: NameOf
  myEmail: string
}

/** The names and values of the filters that are set, to show and remove each. */
export function activeFilters({
  filters,
  actionTitles,
  ruleNames,
  nameOf,
  myEmail,
  setFilter,
}: Options): ActiveFilter[] {
  const { status, by, rule, when, from, to, action, app, type, version } = filters
  const active: ActiveFilter[] = []
  if (status)
    active.push({
      name: 'Status',
      value: statusLabels[status],
      onRemove: () => setFilter({ status: undefined }),
    })
  if (by)
    active.push({
      name: 'Answered by',
      value: <bdi title={by}>{bidiSafe(answererLabel(by, nameOf, myEmail))}</bdi>,
      onRemove: () => setFilter({ by: undefined }),
    })
  if (rule !== undefined) {
    const value = <bdi title={rule}>{bidiSafe(ruleNames.get(rule) ?? rule)}</bdi>
    active.push({ name: 'Rule', value, onRemove: () => setFilter({ rule: undefined }) })
  }
  if (when)
    active.push({ name: 'When', value: periodLabels[when], onRemove: () => setFilter({ when: undefined }) })
  if (from ?? to) {
    const value = formatDayRange(from, to)
    active.push({ name: 'Dates', value, onRemove: () => setFilter({ from: undefined, to: undefined }) })
  }
  if (action !== undefined) {
    const value = <bdi>{bidiSafe(actionLabel(action, actionTitles))}</bdi>
    active.push({ name: 'Action', value, onRemove: () => setFilter({ action: undefined }) })
  }
  if (app !== undefined) {
    const value = <bdi>{bidiSafe(app)}</bdi>
    active.push({ name: 'App', value, onRemove: () => setFilter({ app: undefined }) })
  }
  if (type !== undefined) {
    const value = <bdi>{bidiSafe(type)}</bdi>
    active.push({ name: 'Type', value, onRemove: () => setFilter({ type: undefined }) })
  }
  if (version !== undefined) {
    const value = <bdi>{bidiSafe(version)}</bdi>
    active.push({ name: 'Version', value, onRemove: () => setFilter({ version: undefined }) })
  }
  return active
}
