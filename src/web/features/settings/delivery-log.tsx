import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { asProblem } from '../../lib/problem.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { ListSkeleton } from '../../ui/loaded.tsx'
import { ProblemStrip } from '../../ui/strip.tsx'
import {
  type DeliveryFilter,
  DeliveryFilters,
  deliveryQueryOf,
  effectiveFilter,
} from './delivery-filters.tsx'
import styles from './delivery-log.module.css'
import { DeliveryRow } from './delivery-row.tsx'
import { isSending } from './describe-delivery.ts'
import { RedeliverFailedDialog } from './redeliver-failed-dialog.tsx'

// A retry may be due only hours later.
const sendingPollMilliseconds = 2_000
const idlePollMilliseconds = 15_000

export function DeliveryLog() {
  const { workspaceId, api } = useWorkspace()
  const [entered, setEntered] = useState<DeliveryFilter>({ state: '', hours: '', taskId: '' })
  const filter = effectiveFilter(entered)
  const [isRedelivering, setRedelivering] = useState(false)
  const log = useInfiniteQuery({
    queryKey: ['deliveries', workspaceId, filter],
    queryFn: ({ pageParam, signal }) => api.deliveries({ ...deliveryQueryOf(filter), ...pageParam }, signal),
    initialPageParam: {} as { cursor?: string },
    getNextPageParam: ({ nextCursor }) => (nextCursor === null ? undefined : { cursor: nextCursor }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      // Polling would request every loaded page again.
      if (state.data && state.data.pages.length > 1) return false
      const isAnySending = state.data?.pages[0]?.deliveries.some((delivery) =>
        isSending(delivery, Date.now()),
      )
      return isAnySending ? sendingPollMilliseconds : idlePollMilliseconds
    },
  })
  const deliveries = log.data?.pages.flatMap((page) => page.deliveries)
  const isFiltered = filter.state !== '' || filter.hours !== '' || filter.taskId !== ''

  return (
    <section id="deliveries">
      <div className="head-line">
        <h2>Deliveries</h2>
        <button type="button" className="btn small" onClick={() => setRedelivering(true)}>
          Redeliver failed…
        </button>
      </div>
      <DeliveryFilters filter={entered} onChange={setEntered} />
      {log.error && (
        <ProblemStrip
          message="The deliveries couldn't be loaded."
          problem={asProblem(log.error)}
          onRetry={() => void log.refetch()}
        />
      )}
      {log.isPending && <ListSkeleton />}
      {deliveries?.length === 0 && (
        <p className="none-yet">
          {isFiltered
            ? 'No deliveries match these filters.'
            : 'No deliveries yet. Callbacks, messages to MCP streams, emails, push messages, and Slack and chat messages appear here.'}
        </p>
      )}
      {deliveries && deliveries.length > 0 && (
        <ul className={styles.deliveries} aria-label="Deliveries">
          {deliveries.map((delivery) => (
            <DeliveryRow key={delivery.deliveryId} delivery={delivery} />
          ))}
        </ul>
      )}
      {log.hasNextPage && (
        <button type="button" className="btn above-12" onClick={() => void log.fetchNextPage()}>
          Show older deliveries
        </button>
      )}
      {isRedelivering && <RedeliverFailedDialog onClose={() => setRedelivering(false)} />}
    </section>
  )
}
