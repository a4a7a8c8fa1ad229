import type { AuditDamage } from './audit.ts'

/** What happened to the entry at which a chain is broken, as people are told. */
export const damageInWords: Record<AuditDamage, string> = {
  changed: 'What it says was changed after it was written.',
  missing: 'It was removed.',
  replaced: 'Another entry stands in its place.',
  added: 'It was added by somebody else than the service.',
  unsigned: 'The head of the chain is missing, or its signature is not by this service.',
}
