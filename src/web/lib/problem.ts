import { HandrailProblem } from '../../client/problem.ts'

/** Whatever was thrown, as a problem: a mistake of ours must not leave a person without words. */
export function asProblem(thrown: unknown): HandrailProblem {
  if (thrown instanceof HandrailProblem) return thrown
  return new HandrailProblem(
    {
      type: 'about:blank',
      title: 'Unexpected',
      status: 0,
      code: 'internal',
      detail: thrown instanceof Error ? thrown.message : 'Something went wrong in this page.',
      requestId: '',
    },
    { cause: thrown },
  )
}
