/** Beside `handledBy`: said only where the address was not proved when the answer was given. */
export function notVerified(isVerified: boolean | null | undefined): { handledByVerified?: false } {
  return isVerified === false ? { handledByVerified: false } : {}
}
