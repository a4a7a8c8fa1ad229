import type { NameOf } from './use-members.ts'

/** Name of the answerer if known, otherwise the email; erased members have neither. */
export function displayName(handledBy: string, me?: string, nameOf?: NameOf): string {
  if (handledBy === me) return 'you'
  if (/^usr_\w+$/.test(handledBy)) return `Former member ${handledBy.slice(-4)}`
  return nameOf?.(handledBy) ?? handledBy
}
