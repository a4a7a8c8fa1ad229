import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import type { ApiKeyWithSecret, KeyScope } from '../../../contract/api-key.ts'
import { limits } from '../../../contract/limits.ts'
import type { Workspace } from '../../../contract/workspace.ts'
import { pluralize } from '../../lib/count.ts'
import { asProblem, fieldError } from '../../lib/problem.ts'
import { submitHandler } from '../../lib/submit-handler.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import { Options, Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { KeyLimitFields, readKeyLimits } from './key-limit-fields.tsx'
import { scopeChoiceOf, scopeChoices } from './key-scopes.ts'

const dayMilliseconds = 86_400_000
const expiryChoices = [
  ['', 'Never'],
  ['30', 'In 30 days'],
  ['90', 'In 90 days'],
  ['365', 'In a year'],
] as const

/** The first choice is preselected: never, or after the longest lifetime that the workspace allows. */
function expiryChoicesFor(maxDays: number | undefined): (readonly [string, string])[] {
  if (maxDays === undefined) return [...expiryChoices]
  return [
    ['', `In ${pluralize(maxDays, 'day')}`],
    ...expiryChoices.filter(([days]) => days !== '' && Number(days) < maxDays),
  ]
}

type Props = {
  /** Its default scopes are preselected, and it limits the lifetime of keys. */
  workspace: Workspace
  onCreated: (key: ApiKeyWithSecret) => void
}

export function CreateApiKeyForm({ workspace, onCreated }: Props) {
  const { api } = useWorkspace()
  const expiryId = useId()
  const scopesId = useId()
  const create = useMutation({ mutationFn: api.createApiKey, onSuccess: onCreated })
  const problem = create.error && asProblem(create.error)
  return (
    <form
      className="one-line"
      onSubmit={submitHandler(create, (fields, form) => {
        const days = Number(fields.get('expiry'))
        const expiresAt = new Date(Date.now() + days * dayMilliseconds).toISOString()
        create.mutate(
          {
            name: String(fields.get('name')),
            scopes: String(fields.get('scopes')).split(',') as KeyScope[],
            ...(days > 0 && { expiresAt }),
            ...readKeyLimits(fields),
          },
          { onSuccess: () => form.reset() },
        )
      })}
    >
      <TextField
        label="Key name"
        name="name"
        autoComplete="off"
        maxLength={limits.keyName}
        placeholder="refund-agent-production"
        error={fieldError(problem, 'name')}
        required
      />
      <div className="medium">
        <label className="lbl" htmlFor={scopesId}>
          Scopes
        </label>
        <Select id={scopesId} name="scopes" defaultValue={scopeChoiceOf(workspace.defaultKeyScopes)}>
          <Options options={scopeChoices} />
        </Select>
      </div>
      <div className="narrow">
        <label className="lbl" htmlFor={expiryId}>
          Expires
        </label>
        <Select id={expiryId} name="expiry" defaultValue="">
          <Options options={expiryChoicesFor(workspace.maxKeyDays)} />
        </Select>
      </div>
      <button className="btn primary" type="submit" aria-disabled={create.isPending}>
        {create.isPending ? 'Creating…' : 'Create key'}
      </button>
      <KeyLimitFields problem={problem} />
      <FormProblem
        message="The key wasn't created."
        problem={problem}
        fields={['name', 'apps', 'types', 'cidrs']}
      />
    </form>
  )
}
