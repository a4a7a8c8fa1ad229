/** Agreement that is certain enough, to offer a rule. */
export const leastAgreement = 0.95
/** Probability that any rule with less agreement is offered. */
export const errorLevel = 0.05
/** Share of the tasks that a rule must answer, to be worth the effort. */
export const coverageNeeded = 0.1
