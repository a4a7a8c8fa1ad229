import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import { useEffect } from 'react'
import { freeQuestion } from '../../../contract/gallery/free-question.ts'
import type { ApiKeyWithSecret } from '../../../contract/workspace.ts'
import { classes } from '../../lib/classes.ts'
import { asProblem } from '../../lib/problem.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { focusIfLost } from '../../ui/focus-if-lost.ts'
import { Icon } from '../../ui/icon.tsx'
import snippetStyles from '../../ui/snippet.module.css'
import { ProblemStrip } from '../../ui/strip.tsx'
import styles from './first-call.module.css'

const pollIntervalMilliseconds = 2_000

/** Polls until the new key is first used. Can also send a test task without an agent. */
export function FirstCall({
  apiKey,
  onCalled,
}: {
  apiKey: ApiKeyWithSecret | undefined
  onCalled: () => void
}) {
  const { api, workspaceId } = useWorkspace()
  const keys = useQuery({
    queryKey: ['first-call', workspaceId, apiKey?.keyId],
    queryFn: async ({ signal }) => (await api.apiKeys(signal)).apiKeys,
    enabled: apiKey !== undefined,
    refetchInterval: ({ state }) => (wasUsed(state.data, apiKey) ? false : pollIntervalMilliseconds),
  })
  const isCalled = wasUsed(keys.data, apiKey)
  useEffect(() => {
    if (isCalled) onCalled()
  }, [isCalled])

  const send = useMutation({ mutationFn: () => api.createTask(freeQuestion.payload) })
  const maskedKey = apiKey && `${apiKey.firstCharacters}…${apiKey.lastFour}`
  return (
    <>
      <div className={classes(styles.status, isCalled && styles.done)}>
        <span className={styles.pulse} aria-hidden="true">
          {isCalled && <Icon of={Check} />}
        </span>
        <p role="status">
          {isCalled ? (
            <>
              Received the first call with <code>{maskedKey}</code>. Tasks that it creates appear in{' '}
              <Link className="link" to="/w/$workspaceId/inbox" params={{ workspaceId }}>
                your inbox
              </Link>
              .
            </>
          ) : maskedKey ? (
            <>
              Waiting for the first call with <code>{maskedKey}</code>
            </>
          ) : send.data ? (
            'The test task is in your inbox.'
          ) : (
            'Waiting for an API key.'
          )}
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

function wasUsed(
  keys: { keyId: string; lastUsedAt?: string | undefined }[] | undefined,
  key: ApiKeyWithSecret | undefined,
): boolean {
  return keys?.find(({ keyId }) => keyId === key?.keyId)?.lastUsedAt !== undefined
}
