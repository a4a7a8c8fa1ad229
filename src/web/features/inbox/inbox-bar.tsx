import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { useHere } from '../../lib/person.ts'
import { useShortcuts } from '../../lib/shortcuts.ts'
import { Icon } from '../../ui/icon.tsx'
import { priorityWord } from '../../ui/priority-mark.tsx'
import { visible } from '../../ui/visible-text.tsx'
import { FilterChips, type SetFilter } from './filter-chips.tsx'
import type { FilterChoice } from './filter-choice.ts'
import { FilterMenu } from './filter-menu.tsx'
import { type InboxFilters, noFilters } from './inbox-filters.ts'
import { SearchField } from './search-field.tsx'

type Props = {
  isTaskOpen: boolean
  count: string | undefined
  filters: InboxFilters
  /** `replace`: the same search goes on, Back need not stop at each letter. */
  onFilter: (filters: InboxFilters, replace?: boolean) => void
  onLeaveSearch: () => void
}

const assignedWords = { me: 'to me', none: 'to nobody' }

/** The head of the list: what it is, how much, and which part of it. */
export function InboxBar({ isTaskOpen, count, filters, onFilter, onLeaveSearch }: Props) {
  const { api, workspaceId } = useHere()
  const [isMenuOpen, setMenuOpen] = useState(false)
  const [isSearchOpen, setSearchOpen] = useState(false)
  const isSearching = isSearchOpen || filters.q !== undefined
  const facets = useQuery({
    queryKey: ['inbox-facets', workspaceId],
    queryFn: ({ signal }) => api.inboxFacets(signal),
    enabled: isMenuOpen,
  })

  const set = (changed: InboxFilters) => onFilter({ ...filters, ...changed })

  function search() {
    // At once: the next key belongs into the field already.
    flushSync(() => setSearchOpen(true))
    document.getElementById('inbox-search')?.focus()
  }

  useShortcuts({
    '/': (event) => {
      event.preventDefault()
      search()
    },
    f: (event) => {
      event.preventDefault()
      setMenuOpen(true)
    },
  })

  const choices: FilterChoice[] = [
    {
      label: 'Assigned',
      value: filters.assigned,
      options: [
        { value: 'me', words: 'To me' },
        { value: 'none', words: 'To nobody' },
      ],
      onChoose: (assigned) => set({ assigned: assigned as InboxFilters['assigned'] }),
    },
    {
      label: 'Priority',
      value: filters.priority,
      options: Object.entries(priorityWord).map(([value, words]) => ({ value, words })),
      onChoose: (priority) => set({ priority: priority as InboxFilters['priority'] }),
    },
    {
      label: 'App',
      value: filters.app,
      options: withChosen(facets.data?.apps, filters.app),
      onChoose: (app) => set({ app }),
    },
    {
      label: 'Type',
      value: filters.type,
      options: withChosen(facets.data?.types, filters.type),
      onChoose: (type) => set({ type }),
    },
  ]
  const chips: SetFilter[] = []
  if (filters.assigned) {
    const words = assignedWords[filters.assigned]
    chips.push({ name: 'Assigned', words, onRemove: () => set({ assigned: undefined }) })
  }
  if (filters.priority) {
    const words = priorityWord[filters.priority]
    chips.push({ name: 'Priority', words, onRemove: () => set({ priority: undefined }) })
  }
  if (filters.app !== undefined) {
    const words = <bdi>{visible(filters.app)}</bdi>
    chips.push({ name: 'App', words, onRemove: () => set({ app: undefined }) })
  }
  if (filters.type !== undefined) {
    const words = <bdi>{filters.type}</bdi>
    chips.push({ name: 'Type', words, onRemove: () => set({ type: undefined }) })
  }

  const Heading = isTaskOpen ? 'h2' : 'h1'
  return (
    <>
      <div className="bar">
        <Heading>Inbox</Heading>
        {count !== undefined && <span className="chip num">{count}</span>}
        <span className="grow" />
        <FilterMenu
          isOpen={isMenuOpen}
          onOpenChange={setMenuOpen}
          isSet={chips.length > 0}
          choices={choices}
          note={facets.data?.stopped && 'Not all apps and types are listed. A search finds the others.'}
        />
        <button
          type="button"
          className={isSearching ? 'btn square set' : 'btn square'}
          aria-label="Search (/)"
          title="Search (/)"
          aria-expanded={isSearching}
          onClick={search}
        >
          <Icon of={Search} />
        </button>
      </div>
      {isSearching && (
        <SearchField
          id="inbox-search"
          label="Search open tasks"
          q={filters.q}
          onSearch={(q) => onFilter({ ...filters, q }, filters.q !== undefined && q !== undefined)}
          onLeave={() => {
            setSearchOpen(false)
            onLeaveSearch()
          }}
        />
      )}
      <FilterChips filters={chips} onClear={() => onFilter({ ...noFilters, q: filters.q })} />
    </>
  )
}

/** What is chosen stays in the menu, though no open task has it any more. */
function withChosen(values: string[] = [], chosen: string | undefined): { value: string }[] {
  const all = chosen === undefined || values.includes(chosen) ? values : [chosen, ...values]
  return all.map((value) => ({ value }))
}
