import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ApiKeyWithSecret } from '../../../contract/workspace.ts'
import { basePath } from '../../lib/base-path.ts'
import { useRole } from '../../lib/role.ts'
import { formatFullDate } from '../../lib/time.ts'
import { useWorkspace } from '../../lib/workspace.ts'
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

const placeholder = 'YOUR_API_KEY'

export function ConnectPage() {
  const { api, workspaceId } = useWorkspace()
  const { isAtLeast } = useRole()
  const [createdKey, setCreatedKey] = useState<ApiKeyWithSecret>()
  const [hasReceivedCall, setReceivedCall] = useState(false)
  const workspace = useQuery({
    queryKey: ['workspace', workspaceId],
    queryFn: ({ signal }) => api.workspace(signal),
  })
  const apiKey = createdKey?.key ?? placeholder

  return (
    <PageFrame
      title="Connect an agent"
      intro="Get the first task from your agent into your inbox in three steps."
    >
      <NotAllowed minRole="admin" to="create API keys" />
      <Steps>
        <Step n={1} title="Create an API key" isDone={createdKey !== undefined} isEnabled={!createdKey}>
          <p>The key gives your agent access to this workspace.</p>
          {createdKey ? (
            <ShownOnce
              noun="key"
              value={createdKey.key}
              warning="Copy this key now. Handrail stores only a hash of it, so you won't be able to see it again."
              facts={[
                ['Name', <bdi key="name">{createdKey.name}</bdi>],
                ['Starts with', <code key="start">{createdKey.firstCharacters}</code>],
                ['Expires', createdKey.expiresAt ? formatFullDate(createdKey.expiresAt) : 'Never'],
              ]}
            />
          ) : (
            isAtLeast('admin') && <KeyForm onCreated={setCreatedKey} />
          )}
        </Step>
        <Step
          n={2}
          title="Add Handrail to your client"
          isDone={hasReceivedCall}
          isEnabled={createdKey !== undefined}
        >
          <p>
            {createdKey
              ? 'Your key is already filled in. Paste this, save it and restart the client.'
              : isAtLeast('admin')
                ? `Replace ${placeholder} with your key, or create a key above to have it filled in.`
                : `Replace ${placeholder} with a key that an admin gives you.`}
          </p>
          <Loaded query={workspace} subject="The address of the MCP server">
            {({ mcpUrl }) => (
              <>
                {!mcpUrl && <Strip tone="info">No MCP server is configured. Agents use the REST API.</Strip>}
                <ClientTabs
                  filledIn={apiKey}
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
        <Step n={3} title="Send the first task" isDone={hasReceivedCall} isEnabled={createdKey !== undefined}>
          <p>
            Ask your agent to call <code>send_to_human</code>, or send a test task yourself.
          </p>
          <FirstCall apiKey={createdKey} onCalled={() => setReceivedCall(true)} />
        </Step>
      </Steps>
    </PageFrame>
  )
}
