import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { describeDevice } from '../../lib/device.ts'
import { asProblem } from '../../lib/problem.ts'
import { formatAgo, formatFullDate } from '../../lib/time.ts'
import { useNow } from '../../lib/use-now.ts'
import { useSignOut } from '../../parts/shell/use-sign-out.tsx'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import recordsStyles from '../../ui/records.module.css'
import { ProblemStrip } from '../../ui/strip.tsx'
import { accountApi } from './account-api.ts'

export function Sessions() {
  const now = useNow()
  const { signOut, dialog } = useSignOut(accountApi.revokeAllSessions)
  const queryClient = useQueryClient()
  const [isConfirming, setConfirming] = useState(false)
  const sessionsQuery = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => accountApi.sessions(signal),
  })
  const signOutDevice = useMutation({
    mutationFn: accountApi.revokeSession,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['sessions'] }),
  })
  return (
    <section>
      <div className="head-line">
        <h2>Sessions</h2>
        <button type="button" className="btn" onClick={() => setConfirming(true)}>
          Sign out everywhere
        </button>
      </div>
      {signOutDevice.error && (
        <ProblemStrip message="The session wasn't ended." problem={asProblem(signOutDevice.error)} />
      )}
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
                      Signed in{' '}
                      <time dateTime={createdAt} title={formatFullDate(createdAt)}>
                        {formatAgo(createdAt, now)}
                      </time>
                      {!isCurrent && (
                        <>
                          {' '}
                          · last seen{' '}
                          <time dateTime={updatedAt} title={formatFullDate(updatedAt)}>
                            {formatAgo(updatedAt, now)}
                          </time>
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
                        aria-disabled={signOutDevice.isPending}
                        onClick={() => !signOutDevice.isPending && signOutDevice.mutate(token)}
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
      {isConfirming && (
        <ConfirmDialog
          title="Sign out everywhere"
          description="This ends all your sessions on all devices, including this one, disconnects your apps and unlinks your Slack user."
          confirmLabel="Sign out everywhere"
          onConfirm={async () => void signOut()}
          onClose={() => setConfirming(false)}
        />
      )}
      {dialog}
    </section>
  )
}
