import { stopWords } from './stop-words.ts'

const longestText = 2_000
const mostTermsOfAText = 120
/** Longer ones are no words. */
const longestWord = 40

// Scripts that write no blanks between words; Intl.Segmenter knows where they end. Elsewhere a pattern does the same, faster.
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** The words of a text in lower case. No stemming: what breaks one language's endings breaks another's words. */
export function wordsOf(text: string): string[] {
  const plain = text.slice(0, longestText).normalize('NFKC').toLowerCase()
  if (!unspaced.test(plain)) return plain.match(/[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}'’]|\u200c|\u200d)*/gu) ?? []
  const words: string[] = []
  for (const { segment, isWordLike } of segmenter.segment(plain)) if (isWordLike) words.push(segment)
  return words
}

/** What a text can have in common with another: its words and its pairs of neighbouring words, without those that say nothing. */
export function termsOf(text: string): Set<string> {
  const words = wordsOf(text.replace(links, ' '))
  const terms = new Set<string>()
  for (const [i, word] of words.entries()) {
    if (terms.size >= mostTermsOfAText) break
    const next = words[i + 1]
    if (saysNothing(word)) continue
    terms.add(word)
    if (next !== undefined && !saysNothing(next)) terms.add(pairOf(word, next))
  }
  return terms
}

/** As it is written: with a blank only where the script has one. */
function pairOf(word: string, next: string): string {
  return unspaced.test(word) && unspaced.test(next) ? word + next : `${word} ${next}`
}

const links = /\S{1,20}:\/\/\S+|www\.\S+/gi

/** Little words, endless ones, bare numbers, single letters of scripts where a word has several, and Japanese endings. */
function saysNothing(word: string): boolean {
  if (stopWords.has(word) || word.length > longestWord) return true
  if (/^\p{N}+$/u.test(word) || /^\p{Script=Hiragana}+$/u.test(word)) return true
  return word.length === 1 && !unspaced.test(word)
}
