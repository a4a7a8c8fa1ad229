import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ApiKey, ApiKeyWithSecret } from '../../../contract/api-key.ts'
import { formatTimeAndYear } from '../../lib/dates.ts'
import { useRole } from '../../lib/role.ts'
import { useApiKeys } from '../../lib/use-api-keys.ts'
import { useNow } from '../../lib/use-now.ts'
import { useWorkspaceSettings } from '../../lib/use-workspace-settings.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { bidiSafe } from '../../ui/bidi-safe.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { NotAllowed } from '../../ui/not-allowed.tsx'
import { PageFrame } from '../../ui/page-frame.tsx'
import recordsStyles from '../../ui/records.module.css'
import { ShownOnce } from '../../ui/shown-once.tsx'
import { ApiKeyRow } from './api-key-row.tsx'
import { CreateApiKeyForm } from './create-api-key-form.tsx'
import { describeLimits, describeScopes } from './key-scopes.ts'
import { RevokeApiKeyDialog } from './revoke-api-key-dialog.tsx'
import { RotateApiKeyDialog } from './rotate-api-key-dialog.tsx'

export function ApiKeysPage() {
  const { isAtLeast } = useRole()
  return (
    <PageFrame
      title="API keys"
      intro="An API key gives an agent access to this workspace. Create one key per agent, so that you can revoke each one separately."
    >
      <NotAllowed minRole="admin" to="view and create API keys" />
      {isAtLeast('admin') && <ApiKeys />}
    </PageFrame>
  )
}

function ApiKeys() {
  const { workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const now = useNow()
  const [shown, setShown] = useState<ApiKeyWithSecret>()
  const [rotating, setRotating] = useState<ApiKey>()
  const [revokingId, setRevokingId] = useState<string>()
  const workspaceQuery = useWorkspaceSettings()
  const apiKeysQuery = useApiKeys()
  const revoking = apiKeysQuery.data?.find(({ keyId }) => keyId === revokingId)
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['api-keys', workspaceId] })

  const limitsOfShown = shown && describeLimits(shown)

  function show(key: ApiKeyWithSecret) {
    setShown(key)
    void refresh()
  }

  return (
    <>
      <Loaded query={workspaceQuery} subject="The workspace settings">
        {(workspace) => <CreateApiKeyForm workspace={workspace} onCreated={show} />}
      </Loaded>
      {shown && (
        <ShownOnce
          // Not the id, because a rotated key keeps its id.
          key={shown.key}
          noun="key"
          value={shown.key}
          warning="Copy this key now. Handrail stores only a hash of it, so you won't be able to see it again."
          facts={[
            ['Name', <bdi key="name">{bidiSafe(shown.name)}</bdi>],
            ['Scopes', describeScopes(shown.scopes) ?? 'Full access'],
            ...(limitsOfShown ? [['Limited to', limitsOfShown] as [string, string]] : []),
            ['Expires', shown.expiresAt ? formatTimeAndYear(shown.expiresAt, now) : 'Never'],
            ...(shown.oldSecretUntil
              ? [['Old secret valid until', formatTimeAndYear(shown.oldSecretUntil, now)] as [string, string]]
              : []),
          ]}
        />
      )}
      <section>
        <h2>All keys</h2>
        <Loaded query={apiKeysQuery} subject="The API keys">
          {(apiKeys) =>
            apiKeys.length === 0 ? (
              <p className="none-yet">No API keys yet. Create one above to connect an agent.</p>
            ) : (
              <ul className={recordsStyles.records} aria-label="API keys">
                {apiKeys.map((apiKey) => (
                  <ApiKeyRow
                    key={apiKey.keyId}
                    apiKey={apiKey}
                    onRotate={() => setRotating(apiKey)}
                    onRevoke={() => {
                      setRevokingId(apiKey.keyId)
                      // The dialog says when the key was last used, which may be after the list was loaded.
                      void refresh()
                    }}
                  />
                ))}
              </ul>
            )
          }
        </Loaded>
      </section>
      {rotating && (
        <RotateApiKeyDialog apiKey={rotating} onRotated={show} onClose={() => setRotating(undefined)} />
      )}
      {revoking && (
        <RevokeApiKeyDialog
          apiKey={revoking}
          onRevoked={async () => {
            if (shown?.keyId === revoking.keyId) setShown(undefined)
            await refresh()
          }}
          onClose={() => setRevokingId(undefined)}
        />
      )}
    </>
  )
}
