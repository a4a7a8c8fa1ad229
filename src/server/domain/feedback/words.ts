import { stopWords } from './stop-words.ts'

const maxTextLength = 2_000
const maxTermsPerText = 120
/** Longer strings are not words. */
const maxWordLength = 40

// Scripts without spaces between words need Intl.Segmenter. For all others a pattern is faster.
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** The words of a text in lower case. Not stemmed, because stemming rules are specific to a language. */
export function wordsOf(text: string): string[] {
  const plain = text.slice(0, maxTextLength).normalize('NFKC').toLowerCase()
  if (!unspaced.test(plain)) return plain.match(/[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}'’]|\u200c|\u200d)*/gu) ?? []
  const words: string[] = []
  for (const { segment, isWordLike } of segmenter.segment(plain)) if (isWordLike) words.push(segment)
  return words
}

/** The words and pairs of adjacent words of a text, without meaningless ones. */
export function termsOf(text: string): Set<string> {
  const words = wordsOf(text.replace(links, ' '))
  const terms = new Set<string>()
  for (const [i, word] of words.entries()) {
    if (terms.size >= maxTermsPerText) break
    const next = words[i + 1]
    if (isMeaningless(word)) continue
    terms.add(word)
    if (next !== undefined && !isMeaningless(next)) terms.add(pairOf(word, next))
  }
  return terms
}

/** With a space only if the script uses spaces. */
function pairOf(word: string, next: string): string {
  return unspaced.test(word) && unspaced.test(next) ? word + next : `${word} ${next}`
}

const links = /\S{1,20}:\/\/\S+|www\.\S+/gi

/** Stop words, overlong words, bare numbers, single letters (except in unspaced scripts) and Japanese endings. */
function isMeaningless(word: string): boolean {
  if (stopWords.has(word) || word.length > maxWordLength) return true
  if (/^\p{N}+$/u.test(word) || /^\p{Script=Hiragana}+$/u.test(word)) return true
  return word.length === 1 && !unspaced.test(word)
}
