// Longer than the codes themselves, so that a pasted code with spaces is not cut off.
export const maxAuthenticationCodeLength = 7
export const maxRecoveryCodeLength = 40
