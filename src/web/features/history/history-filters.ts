import { limits } from '../../../contract/limits.ts'
import { isOneOf, textOf } from '../inbox/inbox-filters.ts'

export const statusWord = { handled: 'Handled', cancelled: 'Cancelled', expired: 'Expired' }
export const whenWord = { today: 'Today', week: 'Last 7 days', month: 'Last 30 days' }

export type HistoryFilters = {
  /** Left out: handled. */
  status?: 'cancelled' | 'expired' | undefined
  by?: 'me' | undefined
  action?: string | undefined
  when?: keyof typeof whenWord | undefined
  app?: string | undefined
  type?: string | undefined
  q?: string | undefined
}

export function readHistoryFilters(search: Record<string, unknown>): HistoryFilters {
  const { status, by, when } = search
  return onlyWhatGoesTogether({
    status: isOneOf(['cancelled', 'expired'], status) ? (status as 'cancelled') : undefined,
    by: by === 'me' ? 'me' : undefined,
    action: textOf(search.action, limits.actionId),
    when: isOneOf(Object.keys(whenWord), when) ? (when as 'today') : undefined,
    app: textOf(search.app, limits.app),
    type: textOf(search.type, limits.type),
    q: textOf(search.q, limits.query),
  })
}

/** Only an answer has a person, an action and a time; and a search knows none of them. The one that was set last counts. */
export function onlyWhatGoesTogether(filters: HistoryFilters): HistoryFilters {
  if (filters.q === undefined && filters.status === undefined) return filters
  return { ...filters, by: undefined, action: undefined, when: undefined }
}

export const noHistoryFilters: HistoryFilters = readHistoryFilters({})

/** The moment after which answers are shown. */
export function startOf(when: keyof typeof whenWord): string {
  const day = new Date(new Date().setHours(0, 0, 0, 0))
  if (when !== 'today') day.setDate(day.getDate() - (when === 'week' ? 6 : 29))
  return day.toISOString()
}
