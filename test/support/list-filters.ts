import { giantThread } from '../../bench/large-data/invented-task.ts'

const day = 86_400_000
export const daysAgo = (days: number) => new Date(Date.now() - days * day).toISOString()

/** Filters for every caller, with common and rare values; each is served in the order of creation. */
export const generalFilters = [
  ...[
    'status=open',
    'status=handled',
    'status=cancelled',
    'type=reply-approval',
    'type=spot-check',
    'type=incident',
  ],
  ...['app=support', 'app=pilot', 'version=2026.2.1', 'version=2026.11.0', 'version=never'],
  ...['priority=urgent', 'priority=normal', 'priority=low', `threadId=${giantThread}`, 'threadId=project-3'],
  ...[`createdAfter=${daysAgo(3)}`, `createdBefore=${daysAgo(60)}`],
]
/** Filters for people only; each is served in the order of handling. */
export const peopleFilters = [
  ...['handledBy=person-0@example.com', 'handledBy=person-39@example.com', 'handledBy=nobody@example.com'],
  ...['actionId=approve', 'actionId=service:mark-done', 'actionId=never'],
  ...[`handledAfter=${daysAgo(3)}`, `handledBefore=${daysAgo(60)}`],
]

/** All pairs of filters with different names. */
export function pairs(filters: string[]): string[] {
  const nameOf = (filter: string) => filter.split('=')[0]
  return filters.flatMap((one, i) =>
    filters
      .slice(i + 1)
      .filter((other) => nameOf(one) !== nameOf(other))
      // No index covers both the creation and the handling order.
      .filter((other) => one !== 'sort=handledAt' || nameOf(other) !== 'createdBefore')
      .map((other) => `${one}&${other}`),
  )
}
