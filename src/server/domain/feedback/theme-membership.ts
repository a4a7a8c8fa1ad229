import { isTypoOf } from './typos.ts'

/** Joins two terms to one that a text has only if it has both. */
export const conjunction = '+'

/**
 * Whether a text is about a theme: it has one of the theme's terms, or all parts of a term such as
 * `~missing+#photo`.
 */
export function hasTheme(termsOfText: ReadonlySet<string>, terms: readonly string[]): boolean {
  return terms.some((term) => partsOf(term).every((part) => mentions(termsOfText, part)))
}

export function partsOf(term: string): string[] {
  return term.split(conjunction)
}

function mentions(termsOfText: ReadonlySet<string>, part: string): boolean {
  if (termsOfText.has(part)) return true
  for (const term of termsOfText) if (isSameTerm(term, part)) return true
  return false
}

/**
 * A word is also the same term as its typo. Typos of words in concepts.ts were already replaced by
 * concepts.
 */
export function isSameTerm(term: string, other: string): boolean {
  return term === other || (isWord(term) && isWord(other) && isTypoOf(term, other))
}

export function isWord(term: string): boolean {
  return /^\p{L}/u.test(term)
}

/** Terms that say that something is wrong, but not what. */
export function isGeneric(term: string): boolean {
  return term.startsWith('~')
}
