import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { TaskRecord } from '../../../contract/task.ts'
import { daysInWords } from '../../lib/days.ts'
import { useWorkspace } from '../../lib/person.ts'
import type { SetFilter } from '../../parts/task-list/filter-chips.tsx'
import type { FilterChoice } from '../../parts/task-list/filter-choice.ts'
import {
  type HistoryFilters,
  noHistoryFilters,
  statusWord,
  whenWord,
} from '../../parts/task-list/handled-filters.ts'
import { ListBar } from '../../parts/task-list/list-bar.tsx'
import { visible } from '../../ui/visible-text.tsx'

type Props = {
  isTaskOpen: boolean
  filters: HistoryFilters
  /** What is listed so far: it tells which apps, types and actions there are. */
  tasks: TaskRecord[]
  onFilter: (filters: HistoryFilters, replace?: boolean) => void
  onEnterSearch: (q: string | undefined) => void
  onLeaveSearch: () => void
}

export function HistoryBar({ isTaskOpen, filters, tasks, onFilter, onEnterSearch, onLeaveSearch }: Props) {
  const { api, workspaceId } = useWorkspace()
  const { status, by, when, from, to, action, app, type, version } = filters
  const [isMenuOpen, setMenuOpen] = useState(false)
  const facets = useQuery({
    queryKey: ['inbox-facets', workspaceId],
    queryFn: ({ signal }) => api.inboxFacets(signal),
    enabled: isMenuOpen,
  })

  // Who narrows down by what a search does not know ends the search.
  const ofAnswers = (changed: HistoryFilters) =>
    onFilter({ ...filters, q: undefined, status: undefined, ...changed })
  const ofAll = (changed: HistoryFilters) => onFilter({ ...filters, ...changed })

  const actions = new Map(
    tasks.flatMap(({ handled }) => (handled ? [[handled.actionId, handled.actionTitle]] : [])),
  )
  const choices: FilterChoice[] = [
    {
      label: 'Ended by',
      value: filters.status ?? 'handled',
      options: Object.entries(statusWord).map(([value, words]) => ({ value, words })),
      onChoose: (status) =>
        ofAll({ status: status === 'handled' ? undefined : (status as HistoryFilters['status']) }),
    },
    {
      label: 'Answered by',
      value: filters.by,
      options: [{ value: 'me', words: 'Me' }, ...(by && by !== 'me' ? [{ value: by }] : [])],
      onChoose: (chosen) => ofAnswers({ by: chosen }),
    },
    {
      label: 'When',
      value: filters.when,
      options: Object.entries(whenWord).map(([value, words]) => ({ value, words })),
      onChoose: (chosen) =>
        ofAnswers({ when: chosen as HistoryFilters['when'], from: undefined, to: undefined }),
    },
    {
      label: 'Action',
      value: filters.action,
      options: sorted([...actions.keys(), filters.action]).map((value) => ({ value })),
      onChoose: (action) => ofAnswers({ action }),
    },
    {
      label: 'App',
      value: filters.app,
      options: sorted([...(facets.data?.apps ?? []), ...tasks.map(({ app }) => app), filters.app]).map(
        (value) => ({ value }),
      ),
      onChoose: (app) => ofAll({ app }),
    },
    {
      label: 'Type',
      value: filters.type,
      options: sorted([...(facets.data?.types ?? []), ...tasks.map(({ type }) => type), filters.type]).map(
        (value) => ({ value }),
      ),
      onChoose: (type) => ofAll({ type }),
    },
  ]

  const chips: SetFilter[] = []
  if (status)
    chips.push({ name: 'Ended', words: statusWord[status], onRemove: () => ofAll({ status: undefined }) })
  if (by)
    chips.push({
      name: 'By',
      words: by === 'me' ? 'me' : <bdi>{visible(by)}</bdi>,
      onRemove: () => ofAll({ by: undefined }),
    })
  if (when) chips.push({ name: 'When', words: whenWord[when], onRemove: () => ofAll({ when: undefined }) })
  if (from ?? to) {
    const words = daysInWords(from, to)
    chips.push({ name: 'Days', words, onRemove: () => ofAll({ from: undefined, to: undefined }) })
  }
  if (action !== undefined) {
    const words = <bdi>{visible(actions.get(action) ?? action)}</bdi>
    chips.push({ name: 'Action', words, onRemove: () => ofAll({ action: undefined }) })
  }
  if (app !== undefined) {
    const words = <bdi>{visible(app)}</bdi>
    chips.push({ name: 'App', words, onRemove: () => ofAll({ app: undefined }) })
  }
  if (type !== undefined) {
    chips.push({ name: 'Type', words: <bdi>{type}</bdi>, onRemove: () => ofAll({ type: undefined }) })
  }

  if (version !== undefined) {
    const words = <bdi>{visible(version)}</bdi>
    chips.push({ name: 'Version', words, onRemove: () => ofAll({ version: undefined }) })
  }

  const isMineToday = by === 'me' && when === 'today'
  return (
    <ListBar
      title="Handled"
      isTaskOpen={isTaskOpen}
      isMenuOpen={isMenuOpen}
      onMenu={setMenuOpen}
      choices={choices}
      chips={chips}
      onClear={() => onFilter({ ...noHistoryFilters, q: filters.q })}
      search={{ id: 'history-search', label: 'Search handled tasks', q: filters.q }}
      onSearch={(q, replace) => onFilter({ ...filters, q }, replace)}
      onEnterSearch={onEnterSearch}
      onLeaveSearch={onLeaveSearch}
    >
      <span className="grow" />
      <button
        type="button"
        className={isMineToday ? 'btn small quiet set' : 'btn small quiet'}
        aria-pressed={isMineToday}
        onClick={() =>
          onFilter(isMineToday ? noHistoryFilters : { ...noHistoryFilters, by: 'me', when: 'today' })
        }
      >
        My answers today
      </button>
    </ListBar>
  )
}

function sorted(values: (string | undefined)[]): string[] {
  return [...new Set(values.filter((value) => value !== undefined))].sort()
}
