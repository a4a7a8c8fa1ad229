import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '../../../contract/limits.ts'
import { asProblem, fieldError } from '../../lib/problem.ts'
import { submitHandler } from '../../lib/submit-handler.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import { Strip } from '../../ui/strip.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { accountApi } from './account-api.ts'

export function NameForm() {
  const { me } = useWorkspace()
  const queryClient = useQueryClient()
  const rename = useMutation({
    mutationFn: accountApi.rename,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['me'] }),
  })
  const problem = rename.error && asProblem(rename.error)
  return (
    <form
      className="one-line"
      onSubmit={submitHandler(rename, (fields) => rename.mutate(String(fields.get('name'))))}
    >
      <TextField
        label="Your name"
        name="name"
        defaultValue={me.person.name}
        autoComplete="name"
        maxLength={limits.personName}
        help={`Other members see it next to ${me.person.email}.`}
        error={fieldError(problem, 'name')}
        required
      />
      <button className="btn" type="submit" aria-disabled={rename.isPending}>
        {rename.isPending ? 'Saving…' : 'Save'}
      </button>
      {rename.isSuccess && <Strip tone="success">Your name was saved.</Strip>}
      <FormProblem message="Your name wasn't saved." problem={problem} fields={['name']} />
    </form>
  )
}
