import { useMutation } from '@tanstack/react-query'
import type { ApiKeyWithSecret } from '../../../contract/api-key.ts'
import { limits } from '../../../contract/limits.ts'
import { asProblem, fieldError } from '../../lib/problem.ts'
import { submitHandler } from '../../lib/submit-handler.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import { TextField } from '../../ui/text-field.tsx'

export function KeyForm({ onCreated }: { onCreated: (key: ApiKeyWithSecret) => void }) {
  const { api } = useWorkspace()
  const create = useMutation({ mutationFn: api.createApiKey, onSuccess: onCreated })
  const problem = create.error && asProblem(create.error)
  return (
    <form
      className="one-line above-12"
      onSubmit={submitHandler(create, (fields) => create.mutate({ name: String(fields.get('name')) }))}
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
      <FormProblem message="The key wasn't created." problem={problem} fields={['name']} />
    </form>
  )
}
