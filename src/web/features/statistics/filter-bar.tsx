import { useNavigate } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { dayAfter, today } from '../../lib/days.ts'
import { plain } from '../../lib/plain-text.ts'
import { who } from '../../lib/who.ts'
import { Icon } from '../../ui/icon.tsx'
import { type Range, rangeOf } from './range.ts'
import type { StatisticsFilters } from './statistics-filters.ts'
import { useChoices } from './use-statistics.ts'

// As many as the service counts at once.
const mostDays = 366

export function FilterBar({ filters, range }: { filters: StatisticsFilters; range: Range }) {
  const navigate = useNavigate()
  const choices = useChoices(filters, range)
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
    <fieldset className="filter-bar" aria-label="Filters">
      <Pick name="Time" value={hasDates ? 'dates' : (filters.days ?? '30')} onPick={chooseTime}>
        <option value="7">Last 7 days</option>
        <option value="30">Last 30 days</option>
        <option value="90">Last 90 days</option>
        <option value="dates">Dates</option>
      </Pick>
      {hasDates && (
        <>
          <DayField
            name="From"
            day={range.from}
            first={dayAfter(range.to, 1 - mostDays)}
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
      <Pick
        name="App"
        value={filters.app}
        all="all"
        options={choices.apps}
        onPick={(app) => set({ app: app || undefined, type: undefined, version: undefined })}
      />
      <Pick
        name="Type"
        value={filters.type}
        all="all"
        options={choices.types}
        onPick={(type) => set({ type: type || undefined, version: undefined })}
      />
      {(choices.versions.length > 0 || filters.version !== undefined) && (
        <Pick
          name="Version"
          value={filters.version}
          all="all"
          options={choices.versions}
          onPick={(version) => set({ version: version || undefined })}
        />
      )}
      <Pick
        name="Person"
        value={filters.person}
        all="everybody"
        options={choices.people}
        onPick={(person) => set({ person: person || undefined })}
      />
    </fieldset>
  )
}

type PickProps = {
  name: string
  value: string | undefined
  all?: string
  options?: string[]
  onPick: (value: string) => void
  children?: ReactNode
}

function Pick({ name, value, all, options = [], onPick, children }: PickProps) {
  const id = useId()
  // What is set stays to be seen, also where it was not answered in this time.
  const listed = value !== undefined && !children && !options.includes(value) ? [value, ...options] : options
  return (
    <div className={value !== undefined && !children ? 'chooser set' : 'chooser'}>
      <label htmlFor={id}>{name}</label>
      <select id={id} value={value ?? ''} onChange={(event) => onPick(event.target.value)}>
        {all && <option value="">{all}</option>}
        {children}
        {listed.map((option) => (
          <option key={option} value={option}>
            {plain(who(option))}
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
  // While a date is typed it is none for some keys; the address has only whole ones.
  const [typed, setTyped] = useState<string>()
  return (
    <div className="chooser">
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
