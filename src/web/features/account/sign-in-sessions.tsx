import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useRef, useState } from 'react'
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
import { useFocusHandoff } from '../../ui/use-focus-handoff.ts'
import { accountApi } from './account-api.ts'

export function SignInSessions() {
  const { signOut, dialog } = useSignOut(accountApi.revokeAllSessions)
  const queryClient = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const [isConfirming, setConfirming] = useState(false)
  const sessionsQuery = useQuery({
    queryKey: ['sign-in-sessions'],
    queryFn: ({ signal }) => accountApi.sessions(signal),
  })
  const signOutDevice = useMutation({
    mutationFn: accountApi.revokeSession,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['sign-in-sessions'] }),
  })
  return (
    <section>
      <div className="head-line">
        <h2 ref={heading} tabIndex={-1}>
          Sessions
        </h2>
        <button type="button" className="btn" onClick={() => setConfirming(true)}>
          Sign out everywhere
        </button>
      </div>
      {signOutDevice.error && (
        <ProblemStrip message="The device wasn't signed out." problem={asProblem(signOutDevice.error)} />
      )}
      <Loaded query={sessionsQuery} subject="Your sessions">
        {(sessions) => (
          <>
            <ul className={recordsStyles.records} aria-label="Sessions">
              {sessions.map((session) => (
                <SessionRow
                  key={session.token}
                  session={session}
                  heading={heading}
                  isPending={signOutDevice.isPending}
                  onSignOut={() => signOutDevice.mutate(session.token)}
                />
              ))}
            </ul>
            {sessions.length > 1 && <p className="help above-12">“Last seen” is accurate to an hour.</p>}
          </>
        )}
      </Loaded>
      {isConfirming && (
        <ConfirmDialog
          title="Sign out everywhere?"
          description="This ends all your sessions on all devices, including this one, disconnects your apps, unlinks your Slack user and stops push messages."
          confirmLabel="Sign out everywhere"
          // Not awaited: this dialog closes at once, and `dialog` shows the progress.
          onConfirm={async () => void signOut()}
          onClose={() => setConfirming(false)}
        />
      )}
      {dialog}
    </section>
  )
}

type SessionRowProps = {
  session: Awaited<ReturnType<typeof accountApi.sessions>>[number]
  /** Gets the focus when the row disappears with the pressed button. */
  heading: RefObject<HTMLElement | null>
  isPending: boolean
  onSignOut: () => void
}

function SessionRow({ session, heading, isPending, onSignOut }: SessionRowProps) {
  const { userAgent, ipAddress, createdAt, updatedAt, isCurrent } = session
  const now = useNow()
  const row = useRef<HTMLLIElement>(null)
  useFocusHandoff(row, heading)
  const device = describeDevice(userAgent ?? '')
  return (
    <li ref={row}>
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
            aria-label={`Sign out ${device}, signed in ${formatFullDate(createdAt)}`}
            aria-disabled={isPending}
            onClick={() => !isPending && onSignOut()}
          >
            Sign out
          </button>
        </span>
      )}
    </li>
  )
}
