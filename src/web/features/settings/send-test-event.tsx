import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '../../../contract/limits.ts'
import { asProblem, fieldError } from '../../lib/problem.ts'
import { submitHandler } from '../../lib/submit-handler.ts'
import { useWorkspace } from '../../lib/workspace.ts'
import { FormProblem } from '../../ui/form-problem.tsx'
import { Strip } from '../../ui/strip.tsx'
import { TextField } from '../../ui/text-field.tsx'

export function SendTestEvent() {
  const { workspaceId, api } = useWorkspace()
  const queryClient = useQueryClient()
  const send = useMutation({
    mutationFn: api.sendTestEvent,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['deliveries', workspaceId] }),
  })
  const problem = send.error && asProblem(send.error)
  return (
    <section>
      <h2>Test your receiver</h2>
      <form
        className="one-line above-12"
        onSubmit={submitHandler(send, (fields) => send.mutate(String(fields.get('url'))))}
      >
        <TextField
          label="Receiver URL"
          name="url"
          type="url"
          autoComplete="off"
          maxLength={limits.callbackUrl}
          placeholder="https://api.shop.example/hooks/handrail"
          help="Receives a signed service/test event, which is sent and listed above like any other delivery."
          error={fieldError(problem, 'url')}
          required
        />
        <button className="btn" type="submit" aria-disabled={send.isPending}>
          Send test event
        </button>
        {send.isSuccess && (
          <Strip tone="success">The test event is on its way. See the result in the list above.</Strip>
        )}
        <FormProblem message="The test event wasn't sent." problem={problem} fields={['url']} />
      </form>
    </section>
  )
}
