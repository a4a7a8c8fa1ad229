/** Who answered: an address, or the id of someone who left and took it along. */
export function who(handledBy: string, me?: string): string {
  if (handledBy === me) return 'you'
  return /^usr_\w+$/.test(handledBy) ? `Former member ${handledBy.slice(-4)}` : handledBy
}
