import { HandrailProblem } from '../../client/problem.ts'

/** Converts anything thrown into a problem, so unexpected errors have a message too. */
export function asProblem(thrown: unknown): HandrailProblem {
  if (thrown instanceof HandrailProblem) return thrown
  return new HandrailProblem(
    {
      type: 'about:blank',
      title: 'Unexpected error',
      status: 0,
      code: 'internal',
      detail:
        thrown instanceof Error
          ? thrown.message
          : 'Something went wrong on this page. Reload it and try again.',
      requestId: '',
    },
    { cause: thrown },
  )
}

/**
 * What did not happen, shown before the problem's detail. Without a response, or after an error of
 * the service, it is unknown whether the request was carried out.
 */
export function describeFailure({ status }: HandrailProblem, message = 'Nothing was changed.'): string {
  return status >= 400 && status < 500 ? message : 'This may not have been completed.'
}

/** The message of a problem for one field of a form. */
export function fieldError(problem: HandrailProblem | null | undefined, field: string): string | undefined {
  return problem?.errors.find(({ path }) => path === field)?.message
}
