import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '../../../contract/limits.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { asProblem, fieldError } from '../../lib/problem.ts'
import { useRole } from '../../lib/role.ts'
import { submitHandler } from '../../lib/submit-handler.ts'
import { formatFullDate } from '../../lib/time.ts'
import { useWorkspaceSettings } from '../../lib/use-workspace-settings.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { NotAllowed } from '../../ui/not-allowed.tsx'
import { PageFrame } from '../../ui/page-frame.tsx'
import { Strip } from '../../ui/strip.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { Retention } from './retention.tsx'
import { SecuritySettings } from './security-settings.tsx'
import { useStoredValue } from './use-stored-value.ts'

export function WorkspacePage() {
  const workspaceQuery = useWorkspaceSettings()
  return (
    <PageFrame title="Workspace" intro="Agents send tasks to a workspace, and its members answer them.">
      <NotAllowed minRole="owner" to="change these settings" />
      <Loaded query={workspaceQuery} subject="The workspace">
        {(workspace) => (
          <>
            <NameForm workspace={workspace} />
            <Retention workspace={workspace} />
            <SecuritySettings workspace={workspace} />
            <dl className="pairs">
              <div>
                <dt>Workspace ID</dt>
                <dd>
                  <code>{workspace.workspaceId}</code>
                  <CopyButton
                    className="btn square"
                    label="Copy workspace ID"
                    text={() => workspace.workspaceId}
                  />
                </dd>
              </div>
              <div>
                <dt>Created</dt>
                <dd>{formatFullDate(workspace.createdAt)}</dd>
              </div>
            </dl>
          </>
        )}
      </Loaded>
    </PageFrame>
  )
}

function NameForm({ workspace }: { workspace: Workspace }) {
  const { api } = useWorkspace()
  const { isAtLeast } = useRole()
  const queryClient = useQueryClient()
  const [name, setName] = useStoredValue(workspace.name)
  const rename = useMutation({
    mutationFn: () => api.changeWorkspace({ name }),
    onSuccess: (renamed) => {
      queryClient.setQueryData(['workspace', workspace.workspaceId], renamed)
      return queryClient.invalidateQueries({ queryKey: ['me'] })
    },
  })
  const problem = rename.error && asProblem(rename.error)
  return (
    <form className="one-line" onSubmit={submitHandler(rename, () => rename.mutate())}>
      <TextField
        label="Workspace name"
        name="name"
        value={name}
        onChange={({ target }) => setName(target.value)}
        maxLength={limits.workspaceName}
        readOnly={!isAtLeast('owner')}
        error={fieldError(problem, 'name')}
        required
      />
      {isAtLeast('owner') && (
        <button className="btn" type="submit" aria-disabled={rename.isPending}>
          {rename.isPending ? 'Saving…' : 'Save'}
        </button>
      )}
      {rename.isSuccess && <Strip tone="success">The workspace was renamed.</Strip>}
      <FormProblem message="The name wasn't saved." problem={problem} fields={['name']} />
    </form>
  )
}
