import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { asProblem } from '../../lib/problem.ts'
import { formatAgo, fullDate } from '../../lib/time.ts'
import { useNow } from '../../lib/use-now.ts'
import { useSignOut } from '../../parts/shell/use-sign-out.tsx'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import recordsStyles from '../../ui/records.module.css'
import { ProblemStrip } from '../../ui/strip.tsx'
import { account } from './account-api.ts'
import { describeDevice } from './device.ts'

export function Sessions() {
  const now = useNow()
  const { signOut, warning } = useSignOut(account.revokeAllSessions)
  const queryClient = useQueryClient()
  const [isEndingAll, setEndingAll] = useState(false)
  const sessionsQuery = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => account.sessions(signal),
  })
  const revoke = useMutation({
    mutationFn: account.revokeSession,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['sessions'] }),
  })
  return (
    <section>
      <div className="head-line">
        <h2>Sessions</h2>
        <button type="button" className="btn" onClick={() => setEndingAll(true)}>
          Sign out everywhere
        </button>
      </div>
      {revoke.error && <ProblemStrip message="The session wasn't ended." problem={asProblem(revoke.error)} />}
      <Loaded query={sessionsQuery} subject="Your sessions">
        {(sessions) => (
          <ul className={recordsStyles.records} aria-label="Sessions">
            {sessions.map(({ token, userAgent, ipAddress, createdAt, updatedAt, isCurrent }) => {
              const device = describeDevice(userAgent ?? '')
              return (
                <li key={token}>
                  <div className={recordsStyles.who}>
                    <strong>
                      {device}
                      {isCurrent && <span className="chip">Current session</span>}
                    </strong>
                    <span>
                      Signed in <time title={fullDate(createdAt)}>{formatAgo(createdAt, now)}</time>
                      {!isCurrent && (
                        <>
                          {' '}
                          · last seen <time title={fullDate(updatedAt)}>{formatAgo(updatedAt, now)}</time>
                        </>
                      )}
                      {ipAddress && (
                        <>
                          {' '}
                          · <bdi>{bidiSafe(ipAddress)}</bdi>
                        </>
                      )}
                    </span>
                  </div>
                  {!isCurrent && (
                    <span className={recordsStyles.rowAct}>
                      <button
                        type="button"
                        className="btn quiet"
                        aria-label={`Sign out ${device}`}
                        aria-disabled={revoke.isPending}
                        onClick={() => !revoke.isPending && revoke.mutate(token)}
                      >
                        Sign out
                      </button>
                    </span>
                  )}
                </li>
              )
            })}
          </ul>
        )}
      </Loaded>
      {isEndingAll && (
        <ConfirmDialog
          title="Sign out everywhere"
          description="This ends all your sessions on all devices, including this one."
          confirmLabel="Sign out everywhere"
          onConfirm={() => signOut()}
          onClose={() => setEndingAll(false)}
        />
      )}
      {warning}
    </section>
  )
}
