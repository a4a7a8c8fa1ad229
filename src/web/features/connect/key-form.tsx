import { useMutation } from '@tanstack/react-query'
import { limits } from '../../../contract/limits.ts'
import type { ApiKeyWithSecret } from '../../../contract/workspace.ts'
import { asProblem, fieldError } from '../../lib/problem.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { ProblemStrip } from '../../ui/strip.tsx'
import { TextField } from '../../ui/text-field.tsx'

export function KeyForm({ onCreated }: { onCreated: (key: ApiKeyWithSecret) => void }) {
  const { api } = useWorkspace()
  const create = useMutation({ mutationFn: api.createApiKey, onSuccess: onCreated })
  const problem = create.error && asProblem(create.error)
  return (
    <form
      className="one-line above-12"
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate({ name: String(new FormData(event.currentTarget).get('name')) })
      }}
    >
      <TextField
        label="Key name"
        name="name"
        placeholder="refund-agent-production"
        autoComplete="off"
        maxLength={limits.keyName}
        error={fieldError(problem, 'name')}
        required
      />
      <button className="btn primary" type="submit" aria-disabled={create.isPending}>
        {create.isPending ? 'Creating…' : 'Create key'}
      </button>
      {problem && problem.errors.length === 0 && (
        <ProblemStrip message="The key wasn't created." problem={problem} />
      )}
    </form>
  )
}
