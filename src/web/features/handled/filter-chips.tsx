import { dayRangeLabel } from '../../lib/days.ts'
import type { ActiveFilter } from '../../parts/task-list/filter-chips.tsx'
import { type HandledFilters, periodLabels, statusLabels } from '../../parts/task-list/handled-filters.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import type { FilterSetters } from './filter-choices.ts'

/** One removable chip per filter that is set. */
export function filterChips(
  filters: HandledFilters,
  actionTitles: ReadonlyMap<string, string>,
  { setFilter }: FilterSetters,
): ActiveFilter[] {
  const { status, by, when, from, to, action, app, type, version } = filters
  const chips: ActiveFilter[] = []
  if (status)
    chips.push({
      name: 'Status',
      words: statusLabels[status],
      onRemove: () => setFilter({ status: undefined }),
    })
  if (by)
    chips.push({
      name: 'Answered by',
      words: by === 'me' ? 'me' : <bdi>{bidiSafe(by)}</bdi>,
      onRemove: () => setFilter({ by: undefined }),
    })
  if (when)
    chips.push({ name: 'When', words: periodLabels[when], onRemove: () => setFilter({ when: undefined }) })
  if (from ?? to) {
    const words = dayRangeLabel(from, to)
    chips.push({ name: 'Dates', words, onRemove: () => setFilter({ from: undefined, to: undefined }) })
  }
  if (action !== undefined) {
    const words = <bdi>{bidiSafe(actionTitles.get(action) ?? action)}</bdi>
    chips.push({ name: 'Action', words, onRemove: () => setFilter({ action: undefined }) })
  }
  if (app !== undefined) {
    const words = <bdi>{bidiSafe(app)}</bdi>
    chips.push({ name: 'App', words, onRemove: () => setFilter({ app: undefined }) })
  }
  if (type !== undefined) {
    chips.push({ name: 'Type', words: <bdi>{type}</bdi>, onRemove: () => setFilter({ type: undefined }) })
  }

  if (version !== undefined) {
    const words = <bdi>{bidiSafe(version)}</bdi>
    chips.push({ name: 'Version', words, onRemove: () => setFilter({ version: undefined }) })
  }
  return chips
}
