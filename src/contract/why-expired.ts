type Expired = { needed?: number | undefined; given?: number | undefined; revision?: number | undefined }

/** Why a task expired, as a sentence. `given` counts only the answers to the last revision. */
export function whyExpired({ needed = 1, given = 0, revision = 1 }: Expired): string {
  const mayHaveAnswers = given > 0 || (needed > 1 && revision > 1)
  return mayHaveAnswers
    ? 'Not enough people gave the same answer before the deadline.'
    : 'Nobody answered before the deadline.'
}
