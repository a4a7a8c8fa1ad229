import { useNavigate } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { addDays, today } from '../../lib/days.ts'
import { displayName } from '../../lib/display-name.ts'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { useNameOf } from '../../lib/use-members.ts'
import { Icon } from '../../ui/icon.tsx'
import styles from './filter-bar.module.css'
import { type Range, rangeOf } from './range.ts'
import type { StatisticsFilters } from './statistics-filters.ts'
import { useFilterOptions } from './use-statistics.ts'

// The longest period the service accepts.
const maxDays = 366

export function FilterBar({ filters, range }: { filters: StatisticsFilters; range: Range }) {
  const navigate = useNavigate()
  const choices = useFilterOptions(filters, range)
  const nameOf = useNameOf()
  const hasDates = (filters.from ?? filters.to) !== undefined
  const set = (changed: StatisticsFilters) =>
    void navigate({
      to: '/w/$workspaceId/statistics',
      from: '/w/$workspaceId/statistics',
      search: { ...filters, ...changed },
    })

  function chooseTime(chosen: string) {
    const dates = chosen === 'dates' ? rangeOf(filters) : { from: undefined, to: undefined }
    set({ ...dates, days: chosen === '7' || chosen === '90' ? chosen : undefined })
  }

  return (
    <fieldset className={styles.filterBar} aria-label="Filters">
      <FilterSelect name="Period" value={hasDates ? 'dates' : (filters.days ?? '30')} onChoose={chooseTime}>
        <option value="7">Last 7 days</option>
        <option value="30">Last 30 days</option>
        <option value="90">Last 90 days</option>
        <option value="dates">Custom dates</option>
      </FilterSelect>
      {hasDates && (
        <>
          <DayField
            name="From"
            day={range.from}
            first={addDays(range.to, 1 - maxDays)}
            last={range.to}
            onChoose={(from) => set({ from, to: range.to })}
          />
          <DayField
            name="To"
            day={range.to}
            first={range.from}
            last={today()}
            onChoose={(to) => set({ from: range.from, to })}
          />
        </>
      )}
      <FilterSelect
        name="App"
        value={filters.app}
        all="All"
        options={choices.apps}
        onChoose={(app) => set({ app: app || undefined, type: undefined, version: undefined })}
      />
      <FilterSelect
        name="Type"
        value={filters.type}
        all="All"
        options={choices.types}
        onChoose={(type) => set({ type: type || undefined, version: undefined })}
      />
      {(choices.versions.length > 0 || filters.version !== undefined) && (
        <FilterSelect
          name="Version"
          value={filters.version}
          all="All"
          options={choices.versions}
          onChoose={(version) => set({ version: version || undefined })}
        />
      )}
      <FilterSelect
        name="Person"
        value={filters.person}
        all="Everyone"
        options={choices.people}
        labelOf={(email) => displayName(email, nameOf)}
        onChoose={(person) => set({ person: person || undefined })}
      />
    </fieldset>
  )
}

type FilterSelectProps = {
  name: string
  value: string | undefined
  /** Label of the option that removes the filter. */
  all?: string
  options?: string[]
  /** The value itself by default. A value with another label is shown as a tooltip. */
  labelOf?: (value: string) => string
  onChoose: (value: string) => void
  children?: ReactNode
}

function FilterSelect({
  name,
  value,
  all,
  options = [],
  labelOf = (option) => option,
  onChoose,
  children,
}: FilterSelectProps) {
  const id = useId()
  // A selected value stays listed even if the period has no answers for it.
  const listed = value !== undefined && !children && !options.includes(value) ? [value, ...options] : options
  return (
    <div className={value !== undefined && !children ? `${styles.chooser} ${styles.set}` : styles.chooser}>
      <label htmlFor={id}>{name}</label>
      <select
        id={id}
        value={value ?? ''}
        title={value === undefined || labelOf(value) === value ? undefined : value}
        onChange={(event) => onChoose(event.target.value)}
      >
        {all && <option value="">{all}</option>}
        {children}
        {listed.map((option) => (
          <option key={option} value={option} title={labelOf(option) === option ? undefined : option}>
            {escapeBidi(labelOf(option))}
          </option>
        ))}
      </select>
      <Icon of={ChevronDown} />
    </div>
  )
}

type DayProps = { name: string; day: string; first: string; last: string; onChoose: (day: string) => void }

function DayField({ name, day, first, last, onChoose }: DayProps) {
  const id = useId()
  // A partly typed date is invalid. Only complete dates are written to the URL.
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
