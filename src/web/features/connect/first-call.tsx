import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import type { ApiKey } from '../../../contract/api-key.ts'
import { freeQuestion } from '../../../contract/gallery/free-question.ts'
import { classes } from '../../lib/classes.ts'
import { asProblem } from '../../lib/problem.ts'
import { useRole } from '../../lib/role.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { focusIfLost } from '../../ui/focus-if-lost.ts'
import { Icon } from '../../ui/icon.tsx'
import snippetStyles from '../../ui/snippet.module.css'
import { ProblemStrip } from '../../ui/strip.tsx'
import styles from './first-call.module.css'

type Props = {
  /** The key that was created on this page. */
  createdKey: ApiKey | undefined
  /** The key with which an agent has called. */
  usedKey: ApiKey | undefined
  hasKeys: boolean
  onTestSent: () => void
}

/** Shows whether an agent has called, and sends a test task without an agent. */
export function FirstCall({ createdKey, usedKey, hasKeys, onTestSent }: Props) {
  const { api, workspaceId } = useWorkspace()
  const send = useMutation({
    mutationFn: () => api.createTask(freeQuestion.payload),
    onSuccess: onTestSent,
  })
  return (
    <>
      <div className={classes(styles.status, usedKey && styles.done)}>
        <span className={styles.pulse} aria-hidden="true">
          {usedKey && <Icon of={Check} />}
        </span>
        <p role="status">
          <CallStatus
            createdKey={createdKey}
            usedKey={usedKey}
            hasKeys={hasKeys}
            isTestSent={send.data !== undefined}
          />
        </p>
        {send.data ? (
          <Link
            ref={focusIfLost}
            className="btn"
            to="/w/$workspaceId/inbox/$taskId"
            params={{ workspaceId, taskId: send.data.taskId }}
          >
            Open test task
          </Link>
        ) : (
          <button
            type="button"
            className="btn"
            aria-disabled={send.isPending}
            onClick={() => !send.isPending && send.mutate()}
          >
            {send.isPending ? 'Sending…' : 'Send test task'}
          </button>
        )}
      </div>
      {send.error && <ProblemStrip message="The test task wasn't sent." problem={asProblem(send.error)} />}
      <p className={snippetStyles.hint}>
        Some clients report an invalid key as a failed sign-in, or open a browser to sign in. Check the key
        first. Apps that can't send an API key, such as claude.ai and ChatGPT, let you sign in instead: see{' '}
        <Link
          className="link"
          to="/w/$workspaceId/settings/$page"
          params={{ workspaceId, page: 'connected-apps' }}
        >
          Connected apps
        </Link>
        .
      </p>
    </>
  )
}

type CallStatusProps = Pick<Props, 'createdKey' | 'usedKey' | 'hasKeys'> & { isTestSent: boolean }

function CallStatus({ createdKey, usedKey, hasKeys, isTestSent }: CallStatusProps) {
  const { workspaceId } = useWorkspace()
  const { isAtLeast } = useRole()
  if (usedKey)
    return (
      <>
        {createdKey ? 'Received the first call with' : 'An agent has called with'} <MaskedKey of={usedKey} />.
        Tasks that your agent creates appear in{' '}
        <Link className="link" to="/w/$workspaceId/inbox" params={{ workspaceId }}>
          your inbox
        </Link>
        .
      </>
    )
  if (createdKey)
    return (
      <>
        Waiting for the first call with <MaskedKey of={createdKey} />.
      </>
    )
  if (isTestSent) return 'The test task is in your inbox.'
  if (hasKeys) return 'Waiting for the first call.'
  // Only admins see whether there are keys.
  return isAtLeast('admin') ? 'Waiting for an API key.' : 'Ask an admin for an API key.'
}

function MaskedKey({ of: { firstCharacters, lastFour } }: { of: ApiKey }) {
  return (
    <code>
      {firstCharacters}…{lastFour}
    </code>
  )
}
