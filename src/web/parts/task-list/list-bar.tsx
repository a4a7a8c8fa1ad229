import { Search } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { flushSync } from 'react-dom'
import { type Command, useCommands } from '../../lib/commands.ts'
import { useShortcuts } from '../../lib/shortcuts.ts'
import { Icon } from '../../ui/icon.tsx'
import { useKeyHint } from '../../ui/key-cap.tsx'
import { type ActiveFilter, FilterChips } from './filter-chips.tsx'
import { type FilterChoice, maxInlineOptions } from './filter-choice.ts'
import { FilterMenu } from './filter-menu.tsx'
import { SearchField } from './search-field.tsx'

type Props = {
  title: string
  /** Makes the title an h2, because a pane beside the list has the h1. */
  isSubheading: boolean
  /** Shown between the title and the controls. */
  children?: ReactNode
  isMenuOpen: boolean
  onMenu: (isOpen: boolean) => void
  choices: FilterChoice[]
  /** Shown below the choices: says that there are values which are not listed. */
  note?: ReactNode
  activeFilters: ActiveFilter[]
  onClear: () => void
  search: { id: string; label: string; q: string | undefined }
  /** `replace`: the search was refined, so it adds no history entry. */
  onSearch: (q: string | undefined, options: { replace: boolean }) => void
  /** Enter in the search field: opens the first result. */
  onSubmitSearch: (q: string | undefined) => void
  onLeaveSearch: () => void
}

/** List header: title, filters and search. */
export function ListBar(props: Props) {
  const { title, isSubheading, children, isMenuOpen, onMenu, choices, note, activeFilters, onClear } = props
  const { search, onSearch, onSubmitSearch, onLeaveSearch } = props
  const [isSearchOpen, setSearchOpen] = useState(false)
  const searchHint = useKeyHint('Search', '/')
  const isSearching = isSearchOpen || search.q !== undefined

  function openSearch() {
    // Synchronous, so the next key press goes into the field.
    flushSync(() => setSearchOpen(true))
    document.getElementById(search.id)?.focus()
  }

  useShortcuts({
    '/': openSearch,
    // On many keyboards, the slash needs Shift.
    'Shift+/': openSearch,
    f: () => onMenu(true),
  })

  useCommands(filterCommands(choices, activeFilters.length > 0 ? onClear : undefined))

  const Heading = isSubheading ? 'h2' : 'h1'
  return (
    <>
      <div className="bar">
        <Heading>{title}</Heading>
        {children}
        <FilterMenu
          isOpen={isMenuOpen}
          onOpenChange={onMenu}
          hasFilters={activeFilters.length > 0}
          choices={choices}
          note={note}
        />
        <button
          type="button"
          className={isSearching ? 'btn square set' : 'btn square'}
          {...searchHint}
          onClick={openSearch}
        >
          <Icon of={Search} />
        </button>
      </div>
      {isSearching && (
        <SearchField
          {...search}
          onSearch={(q) => onSearch(q, { replace: search.q !== undefined && q !== undefined })}
          onSubmit={onSubmitSearch}
          onLeave={() => {
            setSearchOpen(false)
            onLeaveSearch()
          }}
        />
      )}
      <FilterChips filters={activeFilters} onClear={onClear} />
    </>
  )
}

/** `onClear`: undefined if no filter is set. */
function filterCommands(choices: FilterChoice[], onClear: (() => void) | undefined): Command[] {
  const commands = choices.flatMap(({ label, value: chosen, options, onChoose }) =>
    options
      .filter(({ value }) => value !== chosen)
      .map((option) => ({
        id: `filter ${label} ${option.value}`,
        group: 'Filter',
        label: `${label}: ${option.label ?? option.value}`,
        isOneOfMany: options.length > maxInlineOptions,
        run: () => onChoose(option.value),
      })),
  )
  if (!onClear) return commands
  return [{ id: 'clear filters', group: 'Filter', label: 'Clear filters', run: onClear }, ...commands]
}
