import type { NameOf } from './use-members.ts'

/**
 * How to refer to the person behind an email address: "you" for `myEmail`, else the member's name if it is
 * known, else the address. An erased person has only an id, which is shown as "Former member".
 */
export function displayName(handledBy: string, nameOf?: NameOf, myEmail?: string): string {
  if (handledBy === myEmail) return 'you'
  if (/^usr_\w+$/.test(handledBy)) return `Former member ${handledBy.slice(-4)}`
  return nameOf?.(handledBy) ?? handledBy
}
