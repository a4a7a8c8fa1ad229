import { limits } from '../../../../contract/limits.ts'

/**
 * The slug to offer for a name: "Café & Küche" becomes cafe-kuche. Empty if the name has no Latin
 * letters or digits.
 */
export function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, limits.groupSlug)
    .replace(/^-|-$/g, '')
}
