import { answeredByRule } from '../../contract/answered-by.ts'
import type { NameOf } from './use-members.ts'

/**
 * How to refer to a person (an address), a group (`group:` and its slug) or a rule: "you" for
 * `myEmail`, else the name if it is known, else the text itself. For erased people and deleted
 * groups only the id is left: "Former member 7Kq2", "Deleted group".
 */
export function displayName(who: string, nameOf?: NameOf, myEmail?: string): string {
  if (who === myEmail) return 'you'
  if (/^usr_\w+$/.test(who)) return `Former member ${who.slice(-4)}`
  if (/^grp_\w+$/.test(who)) return 'Deleted group'
  if (who === answeredByRule) return 'a standing rule'
  return nameOf?.(who) ?? who
}
