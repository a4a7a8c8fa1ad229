import { type ReactNode, Suspense, useState } from 'react'
import { useFacets } from '../../lib/use-facets.ts'
import type { ActiveFilter } from '../../parts/task-list/filter-chips.tsx'
import type { FilterChoice } from '../../parts/task-list/filter-choice.ts'
import { type InboxFilters, isFiltered, noInboxFilters } from '../../parts/task-list/inbox-filters.ts'
import { ListBar } from '../../parts/task-list/list-bar.tsx'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { onDemandPart } from '../../ui/lazy-part.tsx'
import { priorityLabels } from '../../ui/priority-mark.tsx'
import { useHasForMe, useViews } from './use-views.ts'

const ViewTabs = onDemandPart(() => import('./view-tabs.tsx'))

type Props = {
  isSubheading: boolean
  count: string | undefined
  filters: InboxFilters
  snoozedCount: number
  /** `replace`: true while typing a search, so that Back does not stop at every letter. */
  onFilter: (filters: InboxFilters, options?: { replace: boolean }) => void
  onSubmitSearch: (q: string | undefined) => void
  onLeaveSearch: () => void
}

const assignedLabels = { me: 'to me', none: 'to no one' }

export function InboxBar(props: Props) {
  const { isSubheading, count, filters, snoozedCount, onFilter, onSubmitSearch, onLeaveSearch } = props
  const [isMenuOpen, setMenuOpen] = useState(false)
  const facets = useFacets(isMenuOpen)

  // The script of the tabs is loaded only if there may be something to choose.
  const { data: views } = useViews()
  const hasViews = views !== undefined && views.views.length + views.shared.length > 0
  const hasForMe = useHasForMe()
  const hasTabs = hasViews || hasForMe || snoozedCount > 0 || isFiltered(filters)

  const set = (changed: InboxFilters) => onFilter({ ...filters, ...changed })

  const choices: FilterChoice[] = [
    {
      label: 'Assigned',
      value: filters.assigned,
      options: [
        { value: 'me', label: 'To me' },
        { value: 'none', label: 'To no one' },
      ],
      onChoose: (assigned) => set({ assigned: assigned as InboxFilters['assigned'] }),
    },
    {
      label: 'Due',
      value: filters.late,
      options: [{ value: 'true', label: 'Late' }],
      onChoose: (late) => set({ late: late as InboxFilters['late'] }),
    },
    {
      label: 'Priority',
      value: filters.priority,
      options: Object.entries(priorityLabels).map(([value, label]) => ({ value, label })),
      onChoose: (priority) => set({ priority: priority as InboxFilters['priority'] }),
    },
    {
      label: 'App',
      value: filters.app,
      options: withChosen(facets?.apps, filters.app),
      onChoose: (app) => set({ app }),
    },
    {
      label: 'Type',
      value: filters.type,
      options: withChosen(facets?.types, filters.type),
      onChoose: (type) => set({ type }),
    },
  ]
  const active = (key: keyof InboxFilters, name: string, value: ReactNode): ActiveFilter[] =>
    filters[key] === undefined ? [] : [{ name, value, onRemove: () => set({ [key]: undefined }) }]
  const activeFilters = [
    ...active('assigned', 'Assigned', filters.assigned && assignedLabels[filters.assigned]),
    ...active('late', 'Due', 'late'),
    ...active('snoozed', 'Snoozed', 'by me'),
    ...active('priority', 'Priority', filters.priority && priorityLabels[filters.priority]),
    ...active('app', 'App', <bdi>{bidiSafe(filters.app ?? '')}</bdi>),
    ...active('type', 'Type', <bdi>{bidiSafe(filters.type ?? '')}</bdi>),
  ]

  return (
    <>
      <ListBar
        title="Inbox"
        isSubheading={isSubheading}
        isMenuOpen={isMenuOpen}
        onMenu={setMenuOpen}
        choices={choices}
        note={facets?.hasMore && 'There are more apps and types. Use search to find a type.'}
        activeFilters={activeFilters}
        onClear={() => onFilter({ ...noInboxFilters, q: filters.q })}
        search={{ id: 'inbox-search', label: 'Search open tasks', q: filters.q }}
        onSearch={(q, options) => onFilter({ ...filters, q }, options)}
        onSubmitSearch={onSubmitSearch}
        onLeaveSearch={onLeaveSearch}
      >
        {count !== undefined && <span className="chip num">{count}</span>}
        <span className="grow" />
      </ListBar>
      {hasTabs && (
        <Suspense>
          <ViewTabs filters={filters} snoozedCount={snoozedCount} />
        </Suspense>
      )}
    </>
  )
}

/** Keeps the chosen value in the menu even if no open task has it any more. */
function withChosen(values: string[] = [], chosen: string | undefined): { value: string }[] {
  const all = chosen === undefined || values.includes(chosen) ? values : [chosen, ...values]
  return all.map((value) => ({ value }))
}
