import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { asProblem } from '../../lib/problem.ts'
import { useRole } from '../../lib/role.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { ListSkeleton } from '../../ui/loaded.tsx'
import { NotAllowed } from '../../ui/not-allowed.tsx'
import { PageFrame } from '../../ui/page-frame.tsx'
import { ProblemStrip } from '../../ui/strip.tsx'
import { AuditChain } from './audit-chain.tsx'
import { AuditExport } from './audit-export.tsx'
import { type AuditFilter, AuditFilters, auditQueryOf } from './audit-filters.tsx'
import styles from './audit-page.module.css'
import { AuditRow } from './audit-row.tsx'

export function AuditPage() {
  const { isAtLeast } = useRole()
  return (
    <PageFrame
      title="Audit log"
      intro="Who did what, when and from where: sign-ins, changes to members, keys, secrets, rules and settings, exports, and what happened to tasks."
    >
      <NotAllowed minRole="admin" to="view the audit log" />
      {isAtLeast('admin') && (
        <>
          <AuditChain />
          <AuditLog />
        </>
      )}
    </PageFrame>
  )
}

function AuditLog() {
  const { workspaceId, api } = useWorkspace()
  const [filter, setFilter] = useState<AuditFilter>({ action: '', actor: '', hours: '', subject: '' })
  const audit = useInfiniteQuery({
    queryKey: ['audit', workspaceId, filter],
    queryFn: ({ pageParam, signal }) =>
      api.audit({ ...auditQueryOf(filter), ...pageParam, limit: 50 }, signal),
    initialPageParam: {} as { cursor?: string },
    getNextPageParam: ({ nextCursor }) => (nextCursor === null ? undefined : { cursor: nextCursor }),
    placeholderData: keepPreviousData,
  })
  const entries = audit.data?.pages.flatMap((page) => page.entries)
  return (
    <section>
      <AuditFilters filter={filter} onChange={setFilter} />
      <AuditExport filter={filter} />
      {audit.error && (
        <ProblemStrip
          message="The audit log couldn't be loaded."
          problem={asProblem(audit.error)}
          onRetry={() => void audit.refetch()}
        />
      )}
      {audit.isPending && <ListSkeleton />}
      {entries?.length === 0 && <p className="none-yet">No entries match these filters.</p>}
      {entries && entries.length > 0 && (
        <ol className={styles.audit} aria-label="Audit log">
          {entries.map((entry) => (
            <AuditRow
              key={entry.auditId}
              entry={entry}
              onSubject={() => setFilter({ action: '', actor: '', hours: '', subject: entry.subject })}
            />
          ))}
        </ol>
      )}
      {audit.hasNextPage && (
        <button type="button" className="btn above-12" onClick={() => void audit.fetchNextPage()}>
          Show older entries
        </button>
      )}
    </section>
  )
}
