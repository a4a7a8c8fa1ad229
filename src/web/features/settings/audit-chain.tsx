import { useMutation } from '@tanstack/react-query'
import type { AuditVerdict } from '../../../contract/audit.ts'
import { damageMessages } from '../../../contract/audit-damage.ts'
import { formatCount, pluralize } from '../../lib/count.ts'
import { asProblem } from '../../lib/problem.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ProblemStrip, Strip } from '../../ui/strip.tsx'
import styles from './audit-chain.module.css'

/** Verifies the hash chain of the audit log on request. */
export function AuditChain() {
  const { api } = useWorkspace()
  const verifying = useMutation({ mutationFn: () => api.verifyAudit() })
  return (
    <section className={styles.auditChain}>
      <div className="head-line">
        <p>
          Each entry contains a digest of the previous one, so the last digest, the head, depends on all of
          them. Verifying recomputes all digests.
        </p>
        <button
          type="button"
          className="btn small"
          aria-disabled={verifying.isPending}
          onClick={() => !verifying.isPending && verifying.mutate()}
        >
          {verifying.isPending ? 'Verifying…' : 'Verify'}
        </button>
      </div>
      {verifying.data && !verifying.isPending && <Verdict verdict={verifying.data} />}
      {verifying.error && (
        <ProblemStrip message="The audit log wasn't verified." problem={asProblem(verifying.error)} />
      )}
    </section>
  )
}

function Verdict({ verdict: { firstBroken, head, rows, chained } }: { verdict: AuditVerdict }) {
  if (firstBroken) {
    return (
      <Strip tone="neg">
        <strong>The audit log is broken at entry {formatCount(firstBroken.seq)}.</strong>{' '}
        {damageMessages[firstBroken.what]} Only someone with write access to the database can do this. Compare
        the entries with an earlier export or a backup.
      </Strip>
    )
  }
  if (!head)
    return (
      <Strip tone="info" isAnnounced>
        No entries are chained yet.
      </Strip>
    )
  return (
    <Strip
      tone="success"
      action={
        <CopyButton className="btn small" confirmation="text" text={() => JSON.stringify(head)}>
          Copy head
        </CopyButton>
      }
    >
      Verified: {pluralize(head.seq, 'entry', 'entries')}, head{' '}
      <code title={head.digest}>{head.digest.slice(0, 12)}…</code>.
      {rows > chained && ` ${pluralize(rows - chained, 'entry', 'entries')} will be chained soon.`}
      <small>Store the head outside Handrail to prove later that no earlier entry was changed.</small>
    </Strip>
  )
}
