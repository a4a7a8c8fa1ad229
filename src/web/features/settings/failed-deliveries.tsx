import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { pluralize } from '../../lib/count.ts'
import { hoursAgo } from '../../lib/dates.ts'
import { useRole } from '../../lib/role.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { Strip } from '../../ui/strip.tsx'

const maxListed = 100

const refetchMilliseconds = 30_000

/** Warns admins if deliveries failed permanently in the last 24 hours. */
export function FailedDeliveries() {
  const { workspaceId, api } = useWorkspace()
  const { isAtLeast } = useRole()
  const failed = useQuery({
    queryKey: ['deliveries', workspaceId, 'failed'],
    queryFn: async ({ signal }) => {
      const endedAfter = hoursAgo(24)
      return (await api.deliveries({ state: 'failed', endedAfter, limit: maxListed }, signal)).deliveries
        .length
    },
    enabled: isAtLeast('admin'),
    refetchInterval: refetchMilliseconds,
  })
  if (!failed.data) return null
  const count =
    failed.data === maxListed
      ? `${maxListed} or more deliveries`
      : pluralize(failed.data, 'delivery', 'deliveries')
  return (
    <Strip
      tone="warn"
      action={
        <Link
          className="btn small"
          to="/w/$workspaceId/settings/$page"
          params={{ workspaceId, page: 'webhooks' }}
          hash="deliveries"
        >
          View deliveries
        </Link>
      }
    >
      {count} failed in the last 24 hours.
    </Strip>
  )
}
