import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ApiKey, ApiKeyWithSecret } from '../../../contract/api-key.ts'
import { basePath } from '../../lib/base-path.ts'
import { pluralize } from '../../lib/count.ts'
import { useRole } from '../../lib/role.ts'
import { formatAgo, formatFullDate } from '../../lib/time.ts'
import { useNow } from '../../lib/use-now.ts'
import { useWorkspaceSettings } from '../../lib/use-workspace-settings.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { NotAllowed } from '../../ui/not-allowed.tsx'
import { PageFrame } from '../../ui/page-frame.tsx'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { Step, Steps } from '../../ui/steps.tsx'
import { Strip } from '../../ui/strip.tsx'
import { clientSnippets } from './client-snippets.ts'
import { ClientTabs } from './client-tabs.tsx'
import { FirstCall } from './first-call.tsx'
import { KeyForm } from './key-form.tsx'
import { type KeyUsage, useKeyUsage } from './use-key-usage.ts'

const placeholder = 'YOUR_API_KEY'

export function ConnectPage() {
  return (
    <PageFrame
      title="Connect an agent"
      intro="Get the first task from your agent into your inbox in three steps."
    >
      <NotAllowed minRole="admin" to="create API keys" />
      {useRole().isAtLeast('admin') ? <StepsForAdmin /> : <ConnectSteps keys={[]} usedKey={undefined} />}
    </PageFrame>
  )
}

/** The steps for admins, who may list and create API keys. */
function StepsForAdmin() {
  const { workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const [createdKey, setCreatedKey] = useState<ApiKeyWithSecret>()
  const usage = useKeyUsage(createdKey)
  function handleCreated(key: ApiKeyWithSecret) {
    setCreatedKey(key)
    void queryClient.invalidateQueries({ queryKey: ['api-keys', workspaceId] })
  }
  return (
    <Loaded query={usage} subject="The API keys">
      {({ keys, usedKey }) => (
        <ConnectSteps keys={keys} usedKey={usedKey} createdKey={createdKey} onCreated={handleCreated} />
      )}
    </Loaded>
  )
}

type StepsProps = KeyUsage & {
  createdKey?: ApiKeyWithSecret | undefined
  /** undefined: the person may not create keys. */
  onCreated?: (key: ApiKeyWithSecret) => void
}

function ConnectSteps({ keys, usedKey, createdKey, onCreated }: StepsProps) {
  const [isTestSent, setTestSent] = useState(false)
  const isUsed = usedKey !== undefined
  const hasKeys = keys.length > 0 || createdKey !== undefined
  const workspace = useWorkspaceSettings()
  const apiKey = createdKey?.key ?? placeholder

  return (
    <Steps>
      <Step n={1} title="Create an API key" isDone={hasKeys} isHighlighted={!hasKeys}>
        <p>The key gives your agent access to this workspace.</p>
        {createdKey ? (
          <ShownOnce
            noun="key"
            value={createdKey.key}
            warning="Copy this key now. Handrail stores only a hash of it, so you won't be able to see it again."
            facts={[
              ['Name', <bdi key="name">{bidiSafe(createdKey.name)}</bdi>],
              ['Starts with', <code key="start">{createdKey.firstCharacters}</code>],
              ['Expires', createdKey.expiresAt ? formatFullDate(createdKey.expiresAt) : 'Never'],
            ]}
          />
        ) : (
          onCreated && (
            <>
              {keys.length > 0 && <KeysInUse keys={keys} usedKey={usedKey} />}
              <KeyForm onCreated={onCreated} />
            </>
          )
        )}
      </Step>
      <Step n={2} title="Add Handrail to your client" isDone={isUsed} isHighlighted={hasKeys}>
        <Loaded query={workspace} subject="The address of the MCP server">
          {({ mcpUrl }) => (
            <>
              {!mcpUrl && <Strip tone="info">No MCP server is configured. Agents use the REST API.</Strip>}
              <ClientTabs
                apiKey={apiKey}
                aboutKey={
                  createdKey
                    ? 'Your key is already filled in.'
                    : onCreated
                      ? `Replace ${placeholder} with your key, or create a key above to have it filled in.`
                      : `Replace ${placeholder} with a key that an admin gives you.`
                }
                snippets={clientSnippets({
                  url: location.origin + basePath,
                  mcpEndpoint: mcpUrl && `${mcpUrl}/mcp`,
                  apiKey,
                  version: import.meta.env.HANDRAIL_VERSION,
                })}
              />
            </>
          )}
        </Loaded>
      </Step>
      <Step n={3} title="Make the first call" isDone={isUsed || isTestSent} isHighlighted={hasKeys}>
        <p>Have your agent call Handrail, or send a test task yourself.</p>
        <FirstCall
          createdKey={createdKey}
          usedKey={usedKey}
          hasKeys={hasKeys}
          onTestSent={() => setTestSent(true)}
        />
      </Step>
    </Steps>
  )
}

function KeysInUse({ keys, usedKey }: { keys: ApiKey[]; usedKey: ApiKey | undefined }) {
  const { workspaceId } = useWorkspace()
  const now = useNow()
  return (
    <p>
      This workspace has {pluralize(keys.length, 'key')}
      {usedKey ? (
        <>
          ; “<bdi>{bidiSafe(usedKey.name)}</bdi>” was last used {formatAgo(usedKey.lastUsedAt!, now)}
        </>
      ) : (
        ', not used yet'
      )}
      .{' '}
      <Link className="link" to="/w/$workspaceId/settings/$page" params={{ workspaceId, page: 'api-keys' }}>
        Manage keys
      </Link>
    </p>
  )
}
