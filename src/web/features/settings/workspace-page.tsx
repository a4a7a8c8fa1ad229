import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { limits } from '../../../contract/limits.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { useWorkspace } from '../../lib/person.ts'
import { asProblem } from '../../lib/problem.ts'
import { useRole } from '../../lib/role.ts'
import { fullDate } from '../../lib/time.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { NotAllowed } from '../../ui/not-allowed.tsx'
import { PageFrame } from '../../ui/page-frame.tsx'
import { ProblemStrip, Strip } from '../../ui/strip.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { Retention } from './retention.tsx'

export function WorkspacePage() {
  const { workspaceId, api } = useWorkspace()
  const workspace = useQuery({
    queryKey: ['workspace', workspaceId],
    queryFn: ({ signal }) => api.workspace(signal),
  })
  return (
    <PageFrame title="Workspace" lede="What agents hand over here, its people answer.">
      <NotAllowed least="owner" to="change the name and how long content is kept" />
      <Loaded query={workspace} what="The workspace">
        {(found) => (
          <>
            <NameForm key={found.name} workspace={found} />
            <Retention workspace={found} />
            <dl className="pairs">
              <div>
                <dt>Id</dt>
                <dd>
                  <code>{found.workspaceId}</code>
                  <CopyButton className="btn square" label="Copy the id" text={() => found.workspaceId} />
                </dd>
              </div>
              <div>
                <dt>Since</dt>
                <dd>{fullDate(found.createdAt)}</dd>
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
  const rename = useMutation({
    mutationFn: (name: string) => api.changeWorkspace({ name }),
    onSuccess: (renamed) => {
      queryClient.setQueryData(['workspace', workspace.workspaceId], renamed)
      return queryClient.invalidateQueries({ queryKey: ['me'] })
    },
  })
  const problem = rename.error && asProblem(rename.error)

  function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    rename.mutate(String(new FormData(event.currentTarget).get('name')))
  }

  return (
    <form className="one-line" onSubmit={save}>
      <TextField
        label="Name"
        name="name"
        defaultValue={workspace.name}
        maxLength={limits.workspaceName}
        readOnly={!isAtLeast('owner')}
        error={problem?.errors.find(({ path }) => path === 'name')?.message}
        required
      />
      {isAtLeast('owner') && (
        <button className="btn" type="submit" aria-disabled={rename.isPending}>
          {rename.isPending ? 'Saving' : 'Save'}
        </button>
      )}
      {rename.isSuccess && <Strip tone="info">The name is changed.</Strip>}
      {problem && problem.errors.length === 0 && <ProblemStrip what="Not saved." problem={problem} />}
    </form>
  )
}
