import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { asProblem, fieldError } from '../../lib/problem.ts'
import { submitHandler } from '../../lib/submit-handler.ts'

/** State of a form that does not require a session. */
export function useSignedOutForm(send: (fields: Record<string, string>) => Promise<void>) {
  const queryClient = useQueryClient()
  // Needed only for an account with two-factor, after its password was accepted.
  const [needsCode, setNeedsCode] = useState(false)
  const submission = useMutation({
    mutationFn: (fields: Record<string, string>) => {
      // Another person may have been signed in before: their cached data must not be shown.
      queryClient.removeQueries({ type: 'inactive' })
      return send(fields)
    },
    onError: (thrown) => {
      if (fieldError(asProblem(thrown), 'code') !== undefined) setNeedsCode(true)
    },
  })
  const problem = submission.error && asProblem(submission.error)
  return {
    submit: submitHandler(submission, (fields) =>
      submission.mutate(Object.fromEntries([...fields].map(([name, value]) => [name, String(value)]))),
    ),
    problem,
    isSending: submission.isPending,
    needsCode,
    /** The fields that show their errors: those of the form when it was submitted, and the code. */
    fieldNames: [...Object.keys(submission.variables ?? {}), ...(needsCode ? ['code'] : [])],
    errorAt: (field: string) => fieldError(problem, field),
  }
}
