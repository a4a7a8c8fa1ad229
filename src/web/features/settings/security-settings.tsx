import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { KeyScope } from '../../../contract/api-key.ts'
import { limits } from '../../../contract/limits.ts'
import type { ChangeWorkspace, Workspace } from '../../../contract/workspace.ts'
import { formatCount } from '../../lib/count.ts'
import { asProblem, fieldError } from '../../lib/problem.ts'
import { useRole } from '../../lib/role.ts'
import { submitHandler } from '../../lib/submit-handler.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ConfirmIdentityDialog } from '../../ui/confirm-identity-dialog.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { Options, Select } from '../../ui/select.tsx'
import { Strip } from '../../ui/strip.tsx'
import { SwitchLine } from '../../ui/switch-line.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { scopeChoiceOf, scopeChoices } from './key-scopes.ts'
import { useStoredValue } from './use-stored-value.ts'

/** What the workspace requires of its members and of new API keys. Only owners see it. */
export function SecuritySettings({ workspace }: { workspace: Workspace }) {
  const { api, workspaceId } = useWorkspace()
  const { isAtLeast } = useRole()
  const queryClient = useQueryClient()
  const [intent, setIntent] = useState<'require' | 'stop'>()
  if (!isAtLeast('owner')) return null

  async function change(input: ChangeWorkspace) {
    queryClient.setQueryData(['workspace', workspaceId], await api.changeWorkspace(input))
    // The list says which keys are valid for longer than the workspace allows.
    await queryClient.invalidateQueries({ queryKey: ['api-keys', workspaceId] })
  }
  const { requiresTwoFactor } = workspace
  return (
    <section>
      <h2>Security</h2>
      <SwitchLine
        label="Require two-factor authentication"
        description="Members without it must set it up before they can continue. Single sign-on counts if your identity provider confirms a second factor. API keys and connected apps keep working. Tasks can't be answered in Slack."
        checked={requiresTwoFactor}
        onChange={() => setIntent(requiresTwoFactor ? 'stop' : 'require')}
      />
      <KeySettings workspace={workspace} onChange={change} />
      {intent === 'require' && (
        <ConfirmDialog
          title="Require two-factor authentication?"
          description="Members who signed in without a second factor lose access immediately, until they use one. Messages in Slack get links instead of buttons."
          confirmLabel="Require two-factor"
          onConfirm={() => change({ requiresTwoFactor: true })}
          onClose={() => setIntent(undefined)}
        />
      )}
      {intent === 'stop' && (
        <ConfirmIdentityDialog
          title="Stop requiring two-factor?"
          description="Members can then use this workspace without a second factor."
          confirmLabel="Stop requiring"
          onSubmit={(confirmation) => change({ requiresTwoFactor: false, ...confirmation })}
          onClose={() => setIntent(undefined)}
        />
      )}
    </section>
  )
}

type KeySettingsProps = { workspace: Workspace; onChange: (input: ChangeWorkspace) => Promise<void> }

function KeySettings({ workspace, onChange }: KeySettingsProps) {
  const scopesId = useId()
  const [days, setDays] = useStoredValue(String(workspace.maxKeyDays ?? ''))
  const [scopes, setScopes] = useStoredValue(scopeChoiceOf(workspace.defaultKeyScopes))
  const save = useMutation({ mutationFn: onChange })
  const problem = save.error && asProblem(save.error)
  return (
    <form
      className="one-line above-16"
      onSubmit={submitHandler(save, () =>
        save.mutate({
          maxKeyDays: days === '' ? null : Number(days),
          defaultKeyScopes: scopes.split(',') as KeyScope[],
        }),
      )}
    >
      <TextField
        label="Longest lifetime of API keys in days"
        name="maxKeyDays"
        type="number"
        inputMode="numeric"
        min={1}
        max={limits.keyDays}
        step={1}
        placeholder="Unlimited"
        value={days}
        onChange={({ target }) => setDays(target.value)}
        help={`1 to ${formatCount(limits.keyDays)} days. Applies to new and rotated keys. Leave empty to allow keys that never expire.`}
        error={fieldError(problem, 'maxKeyDays')}
      />
      <div>
        <label className="lbl" htmlFor={scopesId}>
          Default scopes of API keys
        </label>
        <Select id={scopesId} value={scopes} onChange={({ target }) => setScopes(target.value)}>
          <Options options={scopeChoices} />
        </Select>
      </div>
      <button
        className="btn"
        type="submit"
        aria-disabled={save.isPending}
        aria-label={save.isPending ? undefined : 'Save API key settings'}
      >
        {save.isPending ? 'Saving…' : 'Save'}
      </button>
      {save.isSuccess && <Strip tone="success">The settings for API keys were saved.</Strip>}
      <FormProblem message="The settings weren't saved." problem={problem} fields={['maxKeyDays']} />
    </form>
  )
}
