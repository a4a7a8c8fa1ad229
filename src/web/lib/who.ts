import type { NameOf } from './use-members.ts'

/** Who answered: by name where it is known, else by address; someone whose address was erased has neither. */
export function who(handledBy: string, me?: string, nameOf?: NameOf): string {
  if (handledBy === me) return 'you'
  if (/^usr_\w+$/.test(handledBy)) return `Former member ${handledBy.slice(-4)}`
  return nameOf?.(handledBy) ?? handledBy
}
