/**
 * How long tests wait for an asynchronous effect: long enough for two busy cores, and never longer
 * than the effect takes.
 */
export const waitOptions = { timeout: 40_000, interval: 50 }
