/** The field beside `handledBy`. Only there if the address was not verified when the person answered. */
export function handledByVerifiedField(isVerified: boolean | null | undefined): {
  handledByVerified?: false
} {
  return isVerified === false ? { handledByVerified: false } : {}
}
