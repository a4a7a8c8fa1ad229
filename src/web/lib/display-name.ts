import { answeredByRule } from '../../contract/answered-by.ts'
import type { NameOf } from './use-members.ts'

/**
 * How to refer to a person: "you" for `myEmail`, else the member's name if it is known, else the address. An erased
 * person has only an id, which is shown as "Former member".
 */
export function displayName(emailOrId: string, nameOf?: NameOf, myEmail?: string): string {
  if (emailOrId === myEmail) return 'you'
  if (/^usr_\w+$/.test(emailOrId)) return `Former member ${emailOrId.slice(-4)}`
  if (/^grp_\w+$/.test(emailOrId)) return 'Deleted group'
  if (emailOrId === answeredByRule) return 'a standing rule'
  return nameOf?.(emailOrId) ?? emailOrId
}
