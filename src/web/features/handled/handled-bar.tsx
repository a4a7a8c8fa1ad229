import { useState } from 'react'
import type { MemberTaskPage } from '../../../contract/task-list.ts'
import { useFacets } from '../../lib/use-facets.ts'
import { useNameOf } from '../../lib/use-members.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { type HandledFilters, noHandledFilters } from '../../parts/task-list/handled-filters.ts'
import { ListBar } from '../../parts/task-list/list-bar.tsx'
import { activeFilters } from './active-filters.tsx'
import { filterChoices } from './filter-choices.ts'

type Props = {
  isSubheading: boolean
  filters: HandledFilters
  /** The tasks that are loaded. Their apps, types, actions and rules are filter options. */
  tasks: MemberTaskPage['tasks']
  onFilter: (filters: HandledFilters, options?: { replace: boolean }) => void
  onSubmitSearch: (q: string | undefined) => void
  onLeaveSearch: () => void
}

export function HandledBar({ isSubheading, filters, tasks, onFilter, onSubmitSearch, onLeaveSearch }: Props) {
  const { me } = useWorkspace()
  const myEmail = me.person.email
  const nameOf = useNameOf()
  const [isMenuOpen, setMenuOpen] = useState(false)
  // Everyone who has answered, and the apps and types of open tasks. The service has no list of the apps
  // and types of ended tasks, so those of the listed tasks are added.
  const facets = useFacets(isMenuOpen)

  // Only handled tasks have an answer.
  const setAnswerFilter = (changed: HandledFilters) => onFilter({ ...filters, status: undefined, ...changed })
  const setFilter = (changed: HandledFilters) => onFilter({ ...filters, ...changed })

  const actionTitles = actionTitlesOf(tasks)
  const ruleNames = new Map(tasks.flatMap(({ rule }) => (rule ? [[rule.ruleId, rule.name]] : [])))
  const by = filters.by === 'me' ? myEmail : filters.by
  const isMineToday = by === myEmail && filters.when === 'today'
  return (
    <ListBar
      title="Handled"
      isSubheading={isSubheading}
      isMenuOpen={isMenuOpen}
      onMenu={setMenuOpen}
      choices={filterChoices({
        filters: { ...filters, by },
        tasks,
        facets,
        myEmail,
        actionTitles,
        ruleNames,
        nameOf,
        setFilter,
        setAnswerFilter,
      })}
      activeFilters={activeFilters({
        filters: { ...filters, by },
        actionTitles,
        ruleNames,
        nameOf,
        myEmail,
        setFilter,
      })}
      onClear={() => onFilter({ ...noHandledFilters, q: filters.q })}
      search={{ id: 'handled-search', label: `Search ${filters.status ?? 'handled'} tasks`, q: filters.q }}
      onSearch={(q, options) => onFilter({ ...filters, q }, options)}
      onSubmitSearch={onSubmitSearch}
      onLeaveSearch={onLeaveSearch}
    >
      <span className="grow" />
      <button
        type="button"
        className={isMineToday ? 'btn small quiet set' : 'btn small quiet'}
        aria-pressed={isMineToday}
        onClick={() =>
          isMineToday
            ? setFilter({ by: undefined, when: undefined })
            : setAnswerFilter({ by: myEmail, when: 'today', from: undefined, to: undefined })
        }
      >
        My answers today
      </button>
    </ListBar>
  )
}

/**
 * The newest title of each action, by id. A title that was deleted with the content counts only if
 * there is no other.
 */
function actionTitlesOf(tasks: Props['tasks']): Map<string, string> {
  const titles = new Map<string, string>()
  for (const { handled } of tasks.toReversed()) {
    // Deleting the content of a task replaces the title with the id.
    const isDeleted = handled?.actionTitle === handled?.actionId
    if (handled && !(isDeleted && titles.has(handled.actionId)))
      titles.set(handled.actionId, handled.actionTitle)
  }
  return titles
}
