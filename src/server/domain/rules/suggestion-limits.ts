/** Lower confidence bound of the agreement with a rule that is offered. */
export const minAgreement = 0.95
/** Probability that any rule with less agreement is offered. */
export const maxFalseOfferProbability = 0.05
/** Share of the tasks that a rule must answer, to be worth the effort. */
export const minCoverage = 0.1
