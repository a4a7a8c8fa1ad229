import { useMutation } from '@tanstack/react-query'
import { asProblem } from '../../../lib/problem.ts'
import { useWorkspace } from '../../../lib/workspace.ts'
import { ProblemStrip, Strip } from '../../../ui/strip.tsx'

export function TestMail() {
  const { api, me } = useWorkspace()
  const test = useMutation({ mutationFn: () => api.sendTestMail() })
  return (
    <>
      <button
        type="button"
        className="btn above-12"
        aria-disabled={test.isPending}
        onClick={() => !test.isPending && test.mutate()}
      >
        Send test email
      </button>
      {test.isSuccess && <Strip tone="success">The test email is on its way to {me.person.email}.</Strip>}
      {test.error && <ProblemStrip message="The test email wasn't sent." problem={asProblem(test.error)} />}
    </>
  )
}
