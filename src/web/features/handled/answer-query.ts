import type { ListTasksAsMember } from '../../../contract/task-list.ts'
import { addDays, beforeDay, startOfDay } from '../../lib/days.ts'
import type { HandledFilters, Period } from '../../parts/task-list/handled-filters.ts'

/** The start of the period, in local time. */
function startOfPeriod(when: Period): string {
  const day = new Date(new Date().setHours(0, 0, 0, 0))
  if (when !== 'today') day.setDate(day.getDate() - (when === 'week' ? 6 : 29))
  return day.toISOString()
}

type AnswerQuery = Pick<ListTasksAsMember, 'handledBy' | 'ruleId' | 'handledAfter' | 'handledBefore'>

/** The query parameters for who answered and when. */
export function answerQuery({ by, rule, when, from, to }: HandledFilters, myEmail: string): AnswerQuery {
  return {
    handledBy: by === 'me' ? myEmail : by,
    ruleId: rule,
    handledAfter: when ? startOfPeriod(when) : from && beforeDay(from),
    handledBefore: to && startOfDay(addDays(to, 1)),
  }
}
