import { useMutation, useQueryClient } from '@tanstack/react-query'
import { asProblem, fieldError } from '../../lib/problem.ts'
import { submitHandler } from '../../lib/submit-handler.ts'

/** State of a form that does not require a session. */
export function useSignedOutForm(send: (fields: Record<string, string>) => Promise<void>) {
  const queryClient = useQueryClient()
  const submission = useMutation({
    mutationFn: (fields: Record<string, string>) => {
      // Another person may have been signed in before: their cached data must not be shown.
      queryClient.removeQueries({ type: 'inactive' })
      return send(fields)
    },
  })
  const problem = submission.error && asProblem(submission.error)
  return {
    submit: submitHandler(submission, (fields) =>
      submission.mutate(Object.fromEntries([...fields].map(([name, value]) => [name, String(value)]))),
    ),
    problem,
    isSending: submission.isPending,
    /** The fields of the form when it was submitted. */
    fieldNames: Object.keys(submission.variables ?? {}),
    errorAt: (field: string) => fieldError(problem, field),
  }
}
