import type { ListTasksAsMember } from '../../../contract/task.ts'
import { beforeDay, dayAfter, startOfDay } from '../../lib/days.ts'
import type { HistoryFilters, whenWord } from '../../parts/task-list/handled-filters.ts'

/** The moment after which answers are shown. */
function startOf(when: keyof typeof whenWord): string {
  const day = new Date(new Date().setHours(0, 0, 0, 0))
  if (when !== 'today') day.setDate(day.getDate() - (when === 'week' ? 6 : 29))
  return day.toISOString()
}

type Asked = Pick<ListTasksAsMember, 'handledBy' | 'handledAfter' | 'handledBefore'>

/** Who answered and when, as the service is asked for it. */
export function askedOf({ by, when, from, to }: HistoryFilters, myEmail: string): Asked {
  return {
    handledBy: by === 'me' ? myEmail : by,
    handledAfter: when ? startOf(when) : from && beforeDay(from),
    handledBefore: to && startOfDay(dayAfter(to, 1)),
  }
}
