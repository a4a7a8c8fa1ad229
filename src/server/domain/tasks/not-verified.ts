/** The field next to `handledBy`, present only if the address was unverified when the person answered. */
export function notVerified(isVerified: boolean | null | undefined): { handledByVerified?: false } {
  return isVerified === false ? { handledByVerified: false } : {}
}
