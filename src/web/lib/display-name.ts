import { answeredByRule } from '../../contract/answered-by.ts'
import type { NameOf } from './use-members.ts'

/**
 * How to refer to a person, a group or a rule: "you" for `myEmail`, else the name if it is known,
 * else the address. For erased people and deleted groups only the id is left: "Former member 7Kq2",
 * "Deleted group".
 */
export function displayName(emailOrId: string, nameOf?: NameOf, myEmail?: string): string {
  if (emailOrId === myEmail) return 'you'
  if (/^usr_\w+$/.test(emailOrId)) return `Former member ${emailOrId.slice(-4)}`
  if (/^grp_\w+$/.test(emailOrId)) return 'Deleted group'
  if (emailOrId === answeredByRule) return 'a standing rule'
  return nameOf?.(emailOrId) ?? emailOrId
}
