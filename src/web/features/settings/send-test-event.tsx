import { useMutation, useQueryClient } from '@tanstack/react-query'
import { limits } from '../../../contract/limits.ts'
import { useWorkspace } from '../../lib/person.ts'
import { asProblem } from '../../lib/problem.ts'
import { ProblemStrip, Strip } from '../../ui/strip.tsx'
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
      <h2>Try your receiver</h2>
      <form
        className="one-line above-12"
        onSubmit={(event) => {
          event.preventDefault()
          send.mutate(String(new FormData(event.currentTarget).get('url')))
        }}
      >
        <TextField
          label="Address"
          name="url"
          type="url"
          autoComplete="off"
          maxLength={limits.callbackUrl}
          placeholder="https://api.shop.example/hooks/handrail"
          help="Gets a signed service/test event, through the same line and log as a real one."
          error={problem?.errors.find(({ path }) => path === 'url')?.message}
          required
        />
        <button className="btn" type="submit" aria-disabled={send.isPending}>
          Send a test event
        </button>
        {send.isSuccess && <Strip tone="info">It is on its way. The log above says what came back.</Strip>}
        {problem && problem.errors.length === 0 && (
          <ProblemStrip what="Nothing was sent." problem={problem} />
        )}
      </form>
    </section>
  )
}
