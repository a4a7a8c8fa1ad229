import { answeredByRule } from '../../../contract/answered-by.ts'
import type { InboxFacets } from '../../../contract/inbox.ts'
import type { TaskRecord } from '../../../contract/task.ts'
import { escapeBidi } from '../../lib/escape-bidi.ts'
import { statusLabels } from '../../lib/status-labels.ts'
import type { NameOf } from '../../lib/use-members.ts'
import type { FilterChoice } from '../../parts/task-list/filter-choice.ts'
import { type HandledFilters, periodLabels } from '../../parts/task-list/handled-filters.ts'
import { actionLabel, answererLabel } from './filter-labels.ts'

export type FilterSetters = {
  setFilter: (changed: HandledFilters) => void
  /** For filters on the answer: shows handled tasks instead of cancelled or expired ones. */
  setAnswerFilter: (changed: HandledFilters) => void
}

type Options = FilterSetters & {
  filters: HandledFilters
  tasks: TaskRecord[]
  facets: InboxFacets | undefined
  /** Titles by action id, from the tasks that are loaded. */
  actionTitles: ReadonlyMap<string, string>
  /** Names by rule id, from the tasks that are loaded. */
  ruleNames: ReadonlyMap<string, string>
  nameOf: NameOf
  myEmail: string
}

/** The menus of the filter bar. A value that is set stays listed even if no task has it. */
export function filterChoices({
  filters,
  tasks,
  facets,
  actionTitles,
  ruleNames,
  nameOf,
  myEmail,
  setFilter,
  setAnswerFilter,
}: Options): FilterChoice[] {
  const ruleIds = unique([...ruleNames.keys(), filters.rule])
  return [
    {
      label: 'Status',
      value: filters.status ?? 'handled',
      options: Object.entries(statusLabels).map(([value, label]) => ({ value, label })),
      onChoose: (status) =>
        setFilter({ status: status === 'handled' ? undefined : (status as HandledFilters['status']) }),
    },
    {
      label: 'Answered by',
      value: filters.by,
      // Addresses instead of "me", so that a link means the same to everyone.
      options: unique([
        myEmail,
        ...(facets?.answeredBy ?? []),
        ...(ruleIds.length > 0 ? [answeredByRule] : []),
        filters.by,
      ]).map((value) => ({
        value,
        label: escapeBidi(answererLabel(value, nameOf, myEmail)),
      })),
      onChoose: (chosen) => setAnswerFilter({ by: chosen }),
    },
    ...(ruleIds.length > 0
      ? [
          {
            label: 'Rule',
            value: filters.rule,
            options: ruleIds.map((value) => ({ value, label: escapeBidi(ruleNames.get(value) ?? value) })),
            onChoose: (rule: string | undefined) => setAnswerFilter({ rule }),
          },
        ]
      : []),
    {
      label: 'When',
      value: filters.when,
      options: Object.entries(periodLabels).map(([value, label]) => ({ value, label })),
      onChoose: (chosen) =>
        setAnswerFilter({ when: chosen as HandledFilters['when'], from: undefined, to: undefined }),
    },
    {
      label: 'Action',
      value: filters.action,
      options: sorted([...actionTitles.keys(), filters.action]).map((value) => ({
        value,
        label: escapeBidi(actionLabel(value, actionTitles)),
      })),
      onChoose: (action) => setAnswerFilter({ action }),
    },
    {
      label: 'App',
      value: filters.app,
      options: sorted([...(facets?.apps ?? []), ...tasks.map(({ app }) => app), filters.app]).map(
        (value) => ({ value }),
      ),
      onChoose: (app) => setFilter({ app }),
    },
    {
      label: 'Type',
      value: filters.type,
      options: sorted([...(facets?.types ?? []), ...tasks.map(({ type }) => type), filters.type]).map(
        (value) => ({ value }),
      ),
      onChoose: (type) => setFilter({ type }),
    },
  ]
}

function unique(values: (string | undefined)[]): string[] {
  return [...new Set(values.filter((value) => value !== undefined))]
}

function sorted(values: (string | undefined)[]): string[] {
  return unique(values).sort()
}
