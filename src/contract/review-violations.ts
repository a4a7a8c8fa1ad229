import type { Violation } from './violation.ts'

/**
 * The error if fewer people may answer than are needed. `isNarrowed`: a policy allows only some of
 * the people whom the sender named. `isStrict`: reviewers need a verified address.
 */
export function tooFewReviewers(
  { needed, isNarrowed, isStrict }: { needed: number; isNarrowed: boolean; isStrict: boolean },
  count: number,
): Violation {
  const sentences = [
    `${needed === 1 ? '1 person' : `${needed} people`} must answer, but ${count === 0 ? 'nobody' : `only ${count}`} may.`,
    ...(isNarrowed ? ['Only people named by both the sender and the workspace policy count.'] : []),
    ...(isStrict
      ? [
          'They need a verified email address, and the task must not be from them, their API key or their connected app.',
        ]
      : []),
  ]
  return { path: 'review', message: sentences.join(' ') }
}

/** The error of an `onExpire` beside a review. */
export const noAnswerAtDeadline: Violation = {
  path: 'onExpire',
  message: 'Not possible here, because a review decides who answers. Leave it out: the task then expires.',
}
