import type { AuditDamage } from './audit.ts'

/** What happened to the first invalid entry of a chain, as shown to people. */
export const damageMessages: Record<AuditDamage, string> = {
  changed: 'Its content was changed after it was written.',
  missing: 'It was removed.',
  replaced: 'It was replaced by another entry.',
  added: 'It was not written by the service.',
  unsigned: 'The head of the chain is missing or was not signed by this service.',
}
