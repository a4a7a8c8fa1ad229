import { Clock, RotateCw } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { Answer } from '../../lib/send-answer.ts'
import type { OpenCount } from '../../lib/use-open-count.ts'
import { useCanStore } from '../../parts/answers/use-can-store.ts'
import {
  forMe,
  type InboxFilters,
  isFiltered,
  isSameFilter,
  noInboxFilters,
} from '../../parts/task-list/inbox-filters.ts'
import { RowSkeletons } from '../../parts/task-list/row-skeletons.tsx'
import { Icon } from '../../ui/icon.tsx'
import { lazyPart, onDemandPart } from '../../ui/lazy-part.tsx'
import { ProblemStrip, Strip } from '../../ui/strip.tsx'
import styles from './inbox-list.module.css'
import type { InboxState } from './inbox-state.ts'
import { OpenTaskList } from './open-task-list.tsx'
import type { SelectionMode } from './task-row.tsx'
import type { Inbox } from './use-inbox.ts'
import type { SelectedRevisions } from './use-selection.ts'

// These are not needed to show the list. The bulk bar is rarely used, so it isn't preloaded.
const EmptyInbox = lazyPart(() => import('./empty-inbox.tsx'))
const NoMatches = lazyPart(() => import('./no-matches.tsx'))
const BulkBar = onDemandPart(() => import('./bulk-bar.tsx'))

type Props = {
  inbox: Inbox
  /** The state of the inbox without the tasks that this person has just answered. */
  state: InboxState
  filters: InboxFilters
  /** The number of open tasks of the whole inbox, even if the list is filtered. Undefined until it is known. */
  total: OpenCount | undefined
  displayedId: string | undefined
  selected: SelectedRevisions
  onOpen: (taskId: string) => void
  onSelect: (taskId: string, mode: SelectionMode) => void
  onFilter: (filters: InboxFilters) => void
  onShowNew: () => void
  /** Removes the rows of ended tasks. */
  onRemoveEnded: () => void
  onAnswerSelected: (answers: Answer[]) => void
  onClearSelected: () => void
}

/** The list column: connection problems, rows, and the bulk bar while tasks are selected. */
export function InboxList({ inbox, state, filters, total, displayedId, selected, ...on }: Props) {
  const { rows } = state
  const isEmpty = rows.length === 0 && inbox.isFullyLoaded
  const isForMe = isSameFilter(filters, forMe)
  // The bulk bar stays, because a dialog that it has opened must stay if others end the selected
  // tasks.
  const [hasBulkBar, setHasBulkBar] = useState(false)
  if (selected.size > 0 && !hasBulkBar) setHasBulkBar(true)
  return (
    <>
      <Connection inbox={inbox} isLoaded={state.isLoaded} />
      {rows.length > 0 ? (
        <OpenTaskList
          state={state}
          displayedId={displayedId}
          selected={selected}
          onOpen={on.onOpen}
          onSelect={on.onSelect}
          onMore={inbox.loadMore}
          onUnloadedPage={inbox.reloadPage}
          onShowNew={on.onShowNew}
          onRemoveEnded={on.onRemoveEnded}
        />
      ) : !isEmpty ? (
        !inbox.problem && <RowSkeletons />
      ) : (
        <Suspense>
          {isFiltered(filters) && !(isForMe && total?.open === 0) ? (
            <NoMatches
              filters={filters}
              isForMe={isForMe}
              total={total}
              isTaskDisplayed={displayedId !== undefined}
              onClear={() => on.onFilter(noInboxFilters)}
            />
          ) : (
            <EmptyInbox />
          )}
        </Suspense>
      )}
      {hasBulkBar && (
        <Suspense>
          <BulkBar
            state={state}
            selected={selected}
            displayedId={displayedId}
            onAnswer={on.onAnswerSelected}
            onClear={on.onClearSelected}
          />
        </Suspense>
      )}
    </>
  )
}

function Connection({ inbox, isLoaded }: { inbox: Inbox; isLoaded: boolean }) {
  const canStore = useCanStore()
  return (
    <>
      {inbox.live === 'reconnecting' && (
        <Strip tone="warn" icon={RotateCw} isAnnounced>
          Reconnecting. You can keep working: your answers are saved{' '}
          {canStore ? 'in this browser.' : 'while this tab is open.'}
        </Strip>
      )}
      {inbox.live === 'polling' && (
        <p className={styles.quietNote} role="status">
          <Icon of={Clock} />
          Live updates are unavailable. Checking every 15 seconds.
        </p>
      )}
      {inbox.problem && inbox.problem.status !== 401 && (
        <ProblemStrip
          message={isLoaded ? "The list couldn't be updated." : "The inbox couldn't be loaded."}
          problem={inbox.problem}
          onRetry={() => void inbox.reload()}
        />
      )}
    </>
  )
}
