/**
 * Replaces the layout fields of the form library (vite.config.ts), which forms cannot use: a hint
 * cannot choose a field (contract/forms/sanitize-hints).
 */
export default function NoLayoutField(): null {
  return null
}
