import { groupPrefix } from '../../../contract/group-prefix.ts'
import { maxTimedTasks, type Statistics } from '../../../contract/statistics.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { countTimed, type TimedAnswers, type TimedTasks } from '../../storage/feedback/in-time.ts'
import type { StatisticsFilters } from '../../storage/feedback/statistics.ts'
import { listGroups } from '../../storage/review/groups.ts'
import { shareOf, sum } from './proportions.ts'

type InTime = NonNullable<Statistics['inTime']>

const maxRows = 100

/**
 * The shares of tasks with a target time that people answered in time. Undefined if there are no
 * such tasks.
 */
export async function readInTime(tx: Transaction, filters: StatisticsFilters): Promise<InTime | undefined> {
  const { tasks, answers, hasMore } = await countTimed(tx, filters, maxTimedTasks)
  // countTimed does not filter the answers to tasks with a review.
  const shownAnswers = answers.filter(
    ({ person }) => filters.handledBy === undefined || person === filters.handledBy,
  )
  if (tasks.length + shownAnswers.length === 0) return undefined
  const groups = await listGroups(tx)
  return {
    tasks: inTimeShare(tasks),
    pairs: mostFrequent(
      partition(tasks, ({ app, type }) => [JSON.stringify([app, type])]).map(([, rows]) => ({
        app: rows[0]!.app,
        type: rows[0]!.type,
        ...inTimeShare(rows),
      })),
    ),
    groups: mostFrequent(
      partition(tasks, responsibleFor).flatMap(([id, rows]) => {
        const group = groups.find((group) => group.id === id)
        return group ? [{ group: `${groupPrefix}${group.slug}`, name: group.name, ...inTimeShare(rows) }] : []
      }),
    ),
    people: mostFrequent(
      partition(shownAnswers, ({ person }) => [person]).map(([person, rows]) => {
        const { late: _late, expired: _expired, ...share } = inTimeShare(rows)
        return { person, ...share }
      }),
    ),
    hasMore,
  }
}

/**
 * The ids of the people and groups that the task was assigned to when it ended, or that its review
 * names.
 */
function responsibleFor({ assignedTo, named }: TimedTasks): string[] {
  return [...(assignedTo ? [assignedTo] : []), ...named]
}

/** Groups the rows by their keys. A row with several keys is in several groups. */
function partition<T>(rows: T[], keysOf: (row: T) => string[]): [key: string, rows: T[]][] {
  const parts = new Map<string, T[]>()
  for (const row of rows) {
    for (const key of new Set(keysOf(row))) {
      const known = parts.get(key)
      if (known) known.push(row)
      else parts.set(key, [row])
    }
  }
  return [...parts]
}

function inTimeShare(rows: Pick<TimedAnswers, 'result' | 'count'>[]): InTime['tasks'] {
  const countOf = (wanted: TimedAnswers['result']) =>
    sum(rows, ({ result, count }) => (result === wanted ? count : 0))
  const all = sum(rows, ({ count }) => count)
  return { ...shareOf(countOf('in time'), all), late: countOf('late'), expired: countOf('expired') }
}

function mostFrequent<T extends { n: number }>(rows: T[]): T[] {
  return rows.sort((one, other) => other.n - one.n).slice(0, maxRows)
}
