import { useNavigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { limits } from '../../../contract/limits.ts'
import { addDays, today } from '../../lib/days.ts'
import { displayName } from '../../lib/display-name.ts'
import { useNameOf } from '../../lib/use-members.ts'
import styles from './filter-bar.module.css'
import { FilterSelect } from './filter-select.tsx'
import { type DayRange, rangeOf } from './range.ts'
import type { StatisticsFilters } from './statistics-filters.ts'
import { useFilterOptions } from './use-statistics.ts'

export function FilterBar({ filters, range }: { filters: StatisticsFilters; range: DayRange }) {
  const navigate = useNavigate()
  const options = useFilterOptions(filters, range)
  const nameOf = useNameOf()
  const hasDates = (filters.from ?? filters.to) !== undefined
  const set = (changed: StatisticsFilters) =>
    void navigate({
      to: '/w/$workspaceId/statistics',
      from: '/w/$workspaceId/statistics',
      search: { ...filters, ...changed },
    })

  function choosePeriod(chosen: string) {
    const dates = chosen === 'dates' ? rangeOf(filters) : { from: undefined, to: undefined }
    set({ ...dates, days: chosen === '7' || chosen === '90' ? chosen : undefined })
  }

  return (
    <fieldset className={styles.filterBar} aria-label="Filters">
      <FilterSelect name="Period" value={hasDates ? 'dates' : (filters.days ?? '30')} onChoose={choosePeriod}>
        <option value="7">Last 7 days</option>
        <option value="30">Last 30 days</option>
        <option value="90">Last 90 days</option>
        <option value="dates">Custom dates (UTC)</option>
      </FilterSelect>
      {hasDates && (
        <>
          <DayField
            name="From"
            day={range.from}
            first={addDays(range.to, 1 - limits.statisticsDays)}
            last={range.to}
            onChoose={(from) => set({ from, to: range.to })}
          />
          <DayField
            name="To"
            day={range.to}
            first={range.from}
            last={earlierOf(today(), addDays(range.from, limits.statisticsDays - 1))}
            onChoose={(to) => set({ from: range.from, to })}
          />
        </>
      )}
      <FilterSelect
        name="App"
        value={filters.app}
        emptyLabel="All"
        options={options.apps}
        onChoose={(app) => set({ app: app || undefined, type: undefined, version: undefined })}
      />
      <FilterSelect
        name="Type"
        value={filters.type}
        emptyLabel="All"
        options={options.types}
        onChoose={(type) => set({ type: type || undefined, version: undefined })}
      />
      {(options.versions.length > 0 || filters.version !== undefined) && (
        <FilterSelect
          name="Version"
          value={filters.version}
          emptyLabel="All"
          options={options.versions}
          onChoose={(version) => set({ version: version || undefined })}
        />
      )}
      <FilterSelect
        name="Person"
        value={filters.person}
        emptyLabel="Everyone"
        options={options.people}
        labelOf={(email) => displayName(email, nameOf)}
        onChoose={(person) => set({ person: person || undefined })}
      />
    </fieldset>
  )
}

const earlierOf = (a: string, b: string) => (a < b ? a : b)

type DayProps = { name: string; day: string; first: string; last: string; onChoose: (day: string) => void }

function DayField({ name, day, first, last, onChoose }: DayProps) {
  const id = useId()
  // Shows an incomplete date while it is typed. Only complete dates are written to the URL.
  const [typed, setTyped] = useState<string>()
  return (
    <div className={styles.chooser}>
      <label htmlFor={id}>{name}</label>
      <input
        id={id}
        type="date"
        value={typed ?? day}
        min={first}
        max={last}
        onChange={(event) => {
          setTyped(event.target.value)
          if (event.target.validity.valid && event.target.value) onChoose(event.target.value)
        }}
        onBlur={() => setTyped(undefined)}
      />
    </div>
  )
}
