import type { AuditDamage } from './audit.ts'

/** What is wrong with the first invalid entry of a chain, or (unsigned) with its head. Shown to people. */
export const damageMessages: Record<AuditDamage, string> = {
  changed: 'The content of this entry was changed after it was written.',
  missing: 'This entry was removed.',
  replaced: 'This entry was replaced by another one.',
  added: 'This entry was not written by the service.',
  unsigned: 'The head of the chain is missing or was not signed by this service.',
}
