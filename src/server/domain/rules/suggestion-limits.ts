/** A rule is offered only if the lower confidence bound of the agreement with it is at least this. */
export const minAgreement = 0.95
/** The probability that any rule with less agreement is offered is at most this. */
export const maxFalseOfferProbability = 0.05
/** A rule must answer at least this share of the tasks, to be worth the effort. */
export const minCoverage = 0.1
