import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Notifications } from '../../../../contract/notification.ts'
import type { SlackCode } from '../../../../contract/slack.ts'
import { asProblem } from '../../../lib/problem.ts'
import { useRole } from '../../../lib/role.ts'
import { formatTimeLeft } from '../../../lib/time.ts'
import { useNow } from '../../../lib/use-now.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { bidiSafe } from '../../../ui/bidi-safe.tsx'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import secretBoxStyles from '../../../ui/secret-box.module.css'
import { ProblemStrip } from '../../../ui/strip.tsx'

// How often to check whether the command was sent.
const pollMilliseconds = 2_000

/** Links the person's Slack user, so that they get messages there and can answer with buttons. */
export function SlackLink({ slack }: { slack: Notifications['slack'] }) {
  const { workspaceId } = useWorkspace()
  const { isAtLeast } = useRole()
  return (
    <section>
      <h2>Your Slack user</h2>
      {slack.linkedTo !== undefined ? (
        <Linked name={slack.linkedTo} />
      ) : slack.available ? (
        <NotLinked />
      ) : (
        <p>
          Your workspace isn't connected to Slack.{' '}
          {isAtLeast('admin') ? (
            <>
              Connect it in{' '}
              <Link
                className="link"
                to="/w/$workspaceId/settings/$page"
                params={{ workspaceId, page: 'slack' }}
              >
                Settings, Slack
              </Link>
              .
            </>
          ) : (
            'Ask an admin to connect it in Settings, Slack.'
          )}
        </p>
      )}
    </section>
  )
}

function Linked({ name }: { name: string }) {
  const { api, workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const [isUnlinking, setUnlinking] = useState(false)
  return (
    <>
      <p>
        Linked to{' '}
        <strong className="weight-medium">
          <bdi>{bidiSafe(name)}</bdi>
        </strong>
        . What this Slack user answers counts as your answer.
      </p>
      <p className="above-12">
        <button type="button" className="btn danger" onClick={() => setUnlinking(true)}>
          Unlink
        </button>
      </p>
      {isUnlinking && (
        <ConfirmDialog
          title="Unlink your Slack user?"
          description="You get no more direct messages in Slack, and buttons there no longer answer tasks for you. Answers you gave are kept."
          confirmLabel="Unlink"
          onConfirm={async () => {
            await api.unlinkSlack()
            await queryClient.invalidateQueries({ queryKey: ['notifications', workspaceId] })
          }}
          onClose={() => setUnlinking(false)}
        />
      )}
    </>
  )
}

function NotLinked() {
  const { api } = useWorkspace()
  const create = useMutation({ mutationFn: () => api.createSlackCode() })
  return (
    <>
      <p>
        Link your Slack user to get messages in Slack and, where your workspace allows it, to answer tasks
        there. To link it, send a code from Slack.
      </p>
      {create.data && <Command code={create.data} />}
      <p className="above-12">
        <button
          type="button"
          className="btn"
          aria-disabled={create.isPending}
          onClick={() => !create.isPending && create.mutate()}
        >
          {create.data ? 'Create new code' : 'Link my Slack user'}
        </button>
      </p>
      {create.error && <ProblemStrip message="The code wasn't created." problem={asProblem(create.error)} />}
    </>
  )
}

/**
 * The command to send in Slack. Until it expires, the settings are polled, so that the page shows
 * when it was sent.
 */
function Command({ code: { command, expiresAt } }: { code: SlackCode }) {
  const { workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const now = useNow()
  const isExpired = now >= Date.parse(expiresAt)
  useEffect(() => {
    if (isExpired) return
    const timer = setInterval(
      () => void queryClient.invalidateQueries({ queryKey: ['notifications', workspaceId] }),
      pollMilliseconds,
    )
    return () => clearInterval(timer)
  }, [isExpired, queryClient, workspaceId])
  if (isExpired)
    return (
      <p className="above-12" role="status">
        The code has expired.
      </p>
    )
  return (
    <>
      <p className="above-12">Send this in Slack, in any channel. Nobody else sees it.</p>
      <div className={secretBoxStyles.box}>
        <div className={secretBoxStyles.value}>
          <code>{command}</code>
          <CopyButton className="btn small primary" confirmation="text" text={() => command}>
            Copy command
          </CopyButton>
        </div>
        <dl>
          <div>
            <dt>Valid</dt> <dd>once, {formatTimeLeft(expiresAt, now)}</dd>
          </div>
        </dl>
      </div>
    </>
  )
}
