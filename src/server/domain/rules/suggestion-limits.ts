/**
 * A rule is offered only if the lower confidence bound of the agreement with it is at least this.
 */
export const minAgreement = 0.95
/**
 * The probability that a search offers any rule whose agreement is below `minAgreement` is at most
 * this.
 */
export const maxFalseOfferProbability = 0.05
/** A rule is offered only if it would answer at least this share of the tasks. */
export const minCoverage = 0.1
