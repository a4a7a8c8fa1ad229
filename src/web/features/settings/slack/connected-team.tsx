import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Slack } from '../../../../contract/slack.ts'
import { pluralize } from '../../../lib/count.ts'
import { formatCalendarDay } from '../../../lib/dates.ts'
import { formatFullDate } from '../../../lib/time.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { TokenForm } from './token-form.tsx'

type Props = { connection: NonNullable<Slack['connection']>; linkedPeople: number }

/** The Slack workspace that is connected, with buttons to replace its token and to disconnect it. */
export function ConnectedTeam({ connection: { teamName, connectedAt }, linkedPeople }: Props) {
  const { api, workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const [isReplacing, setReplacing] = useState(false)
  const [isDisconnecting, setDisconnecting] = useState(false)
  const replaceButton = useRef<HTMLButtonElement>(null)
  function closeForm() {
    // The button that gets the focus must be rendered again first.
    flushSync(() => setReplacing(false))
    replaceButton.current?.focus()
  }
  return (
    <>
      <p>
        Connected to{' '}
        <strong className="weight-medium">
          <bdi>{bidiSafe(teamName)}</bdi>
        </strong>{' '}
        since{' '}
        <time dateTime={connectedAt} title={formatFullDate(connectedAt)}>
          {formatCalendarDay(connectedAt)}
        </time>
        . {linkedPeople === 0 ? 'No member has' : pluralize(linkedPeople, 'member has', 'members have')}{' '}
        linked their Slack user.
      </p>
      {isReplacing ? (
        <TokenForm onClose={closeForm} />
      ) : (
        <div className="above-12 cluster">
          <button ref={replaceButton} type="button" className="btn" onClick={() => setReplacing(true)}>
            Replace token
          </button>
          <button type="button" className="btn danger" onClick={() => setDisconnecting(true)}>
            Disconnect
          </button>
        </div>
      )}
      {isDisconnecting && (
        <ConfirmDialog
          title="Disconnect Slack?"
          description="Handrail deletes the token, the channels and the links of all members. Messages stay in Slack, but their buttons stop working."
          confirmLabel="Disconnect"
          onConfirm={async () => {
            await api.disconnectSlack()
            await queryClient.invalidateQueries({ queryKey: ['notifications', workspaceId] })
            await queryClient.invalidateQueries({ queryKey: ['slack', workspaceId] })
          }}
          onClose={() => setDisconnecting(false)}
        />
      )}
    </>
  )
}
