import { groupPrefix } from '../../../contract/group-prefix.ts'
import { maxTimedTasks, type Statistics } from '../../../contract/statistics.ts'
import type { Transaction } from '../../storage/engine/database.ts'
import { countTimed, type TimedAnswers, type TimedTasks } from '../../storage/feedback/in-time.ts'
import type { StatisticsFilters } from '../../storage/feedback/statistics.ts'
import { listGroups } from '../../storage/review/groups.ts'
import { shareOf, sum } from './proportions.ts'

type InTime = NonNullable<Statistics['inTime']>

const maxRows = 100

/** The shares of tasks with a clock that people answered in time. Undefined if there are no such tasks. */
export async function inTime(tx: Transaction, filters: StatisticsFilters): Promise<InTime | undefined> {
  const { tasks, answers, hasMore } = await countTimed(tx, filters, maxTimedTasks)
  const own = answers.filter(({ person }) => filters.handledBy === undefined || person === filters.handledBy)
  if (tasks.length + own.length === 0) return undefined
  const groups = await listGroups(tx)
  return {
    tasks: measure(tasks),
    pairs: mostFrequent(
      partition(tasks, ({ app, type }) => [JSON.stringify([app, type])]).map(([, rows]) => ({
        app: rows[0]!.app,
        type: rows[0]!.type,
        ...measure(rows),
      })),
    ),
    groups: mostFrequent(
      partition(tasks, namedIn).flatMap(([id, rows]) => {
        const group = groups.find((group) => group.id === id)
        return group ? [{ group: `${groupPrefix}${group.slug}`, name: group.name, ...measure(rows) }] : []
      }),
    ),
    people: mostFrequent(
      partition(own, ({ person }) => [person]).map(([person, rows]) => {
        const { late: _late, expired: _expired, ...share } = measure(rows)
        return { person, ...share }
      }),
    ),
    hasMore,
  }
}

/**
 * The ids of the people and groups whose task it was: whom it was assigned to at the end, and whom
 * its review names.
 */
function namedIn({ assignedTo, named }: TimedTasks): string[] {
  return [...(assignedTo ? [assignedTo] : []), ...named]
}

/** The rows per key. A row may have several keys. */
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

function measure(rows: Pick<TimedAnswers, 'result' | 'count'>[]): InTime['tasks'] {
  const countOf = (wanted: TimedAnswers['result']) =>
    sum(rows, ({ result, count }) => (result === wanted ? count : 0))
  const all = sum(rows, ({ count }) => count)
  return { ...shareOf(countOf('in time'), all), late: countOf('late'), expired: countOf('expired') }
}

function mostFrequent<T extends { n: number }>(rows: T[]): T[] {
  return rows.sort((one, other) => other.n - one.n).slice(0, maxRows)
}
