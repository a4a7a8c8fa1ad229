/** Compares names for the order of a list. */
export const byName = new Intl.Collator('en').compare
