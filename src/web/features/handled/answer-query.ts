import type { ListTasksAsMember } from '../../../contract/task-list.ts'
import { addDays, justBefore, startOfDay } from '../../lib/days.ts'
import { localMidnight } from '../../lib/time.ts'
import type { HandledFilters, Period } from '../../parts/task-list/handled-filters.ts'

/** How many days before today the period starts. */
const daysBefore: Record<Period, number> = { today: 0, week: 6, month: 29 }

type AnswerQuery = Pick<ListTasksAsMember, 'handledBy' | 'ruleId' | 'handledAfter' | 'handledBefore'>

/**
 * The query parameters for who answered and when. `when` counts days of the person's time zone; `from`
 * and `to` are UTC days, as in the statistics.
 */
export function answerQuery({ by, rule, when, from, to }: HandledFilters, myEmail: string): AnswerQuery {
  const start = when ? localMidnight(daysBefore[when]) : from
  return {
    handledBy: by === 'me' ? myEmail : by,
    ruleId: rule,
    handledAfter: start && justBefore(start),
    handledBefore: to && startOfDay(addDays(to, 1)),
  }
}
