import { cjk, startsWithCjk } from './cjk.ts'
import { foldWord, stemOf } from './fold-word.ts'
import { stopWords } from './stop-words.ts'
import { cjkConceptsAt, conceptsOfVariant, conceptsOfWord } from './vocabulary.ts'

const maxTextLength = 2_000
const maxTermsPerText = 120
/** Longer strings are not words. */
const maxWordLength = 40
const maxCachedWords = 50_000

const linkStart = /:\/\/|www\./i
const links = /\S{1,20}:\/\/\S+|www\.\S+/gi
const word = String.raw`(?![${cjk}])[\p{L}\p{N}'](?:(?![${cjk}])[\p{L}\p{M}\p{N}'\u200c\u200d])*`
const tokens = new RegExp(String.raw`${word}|[${cjk}]+|\p{Extended_Pictographic}|∅`, 'gu')
/** Single quotation marks around a word, unlike an apostrophe inside it. */
const quotes = /^'+|'+$/g
const startsWithLetter = /^[\p{L}\p{N}]/u
const southEastAsian = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** A part of a text as it was written, and the terms it stands for. */
type Mention = { written: string; terms: readonly string[] }

/**
 * The normalized terms of a text: concepts for words in the lists of concepts.ts, and otherwise
 * stems, emoji, katakana words and pairs of Han characters. They depend on the text alone, so that
 * the terms of different analyses can be compared.
 */
export function termsOf(text: string): Set<string> {
  const terms = new Set<string>()
  for (const mention of mentionsOf(text)) {
    if (terms.size >= maxTermsPerText) break
    for (const term of mention.terms) terms.add(term)
  }
  return terms
}

export function mentionsOf(text: string): Mention[] {
  const mentions: Mention[] = []
  const add = (written: string, terms: readonly string[]) => {
    if (terms.length > 0) mentions.push({ written, terms })
  }
  const plain = text.slice(0, maxTextLength).normalize('NFKC').replaceAll('’', "'")
  const parts = (linkStart.test(plain) ? plain.replace(links, ' ') : plain).match(tokens)
  for (const token of parts ?? []) {
    const part = token.replace(quotes, '')
    if (part === '') continue
    if (startsWithCjk.test(part)) addRun(part, add)
    else if (!startsWithLetter.test(part)) add(part, conceptsOfWord(part) ?? [part])
    else if (southEastAsian.test(part)) {
      for (const { segment } of segmenter.segment(part)) add(segment, termsOfWord(segment))
    } else if (!part.includes("'") || stopWords.has(part.toLowerCase())) add(part, termsOfWord(part))
    // French l'adresse is two words.
    else for (const piece of part.split("'")) add(piece, termsOfWord(piece))
  }
  return mentions
}

const foldedStopWords = new Set([...stopWords].map(foldWord))
// The texts of an analysis use few different words.
const cache = new Map<string, readonly string[]>()

function termsOfWord(written: string): readonly string[] {
  if (written.length > maxWordLength) return []
  let terms = cache.get(written)
  if (!terms) {
    terms = computeTerms(foldWord(written))
    if (cache.size >= maxCachedWords) cache.clear()
    cache.set(written, terms)
  }
  return terms
}

/**
 * The terms of a folded word. None for numbers and words with three digits in a row, and none for
 * stop words and single letters that are not in concepts.ts.
 */
function computeTerms(word: string): readonly string[] {
  if (/\p{N}{3}|^\p{N}*$/u.test(word)) return []
  const known = conceptsOfWord(word)
  if (known) return known
  if (word.length === 1 || foldedStopWords.has(word)) return []
  const concepts = conceptsOfVariant(word)
  return concepts.length > 0 ? concepts : [stemOf(word)]
}

type Add = (written: string, terms: readonly string[]) => void

/**
 * Adds the terms of text without spaces: the longest concept at each position, and between concepts
 * katakana words and pairs of Han characters. Other hiragana is left out, because it is mostly
 * grammar.
 */
function addRun(run: string, add: Add): void {
  let rest = ''
  for (let i = 0; i < run.length; ) {
    const found = cjkConceptsAt(run, i)
    if (found) {
      addUnknown(rest, add)
      rest = ''
      add(run.slice(i, i + found.length), found.concepts)
      i += found.length
    } else {
      const character = String.fromCodePoint(run.codePointAt(i)!)
      rest += character
      i += character.length
    }
  }
  addUnknown(rest, add)
}

function addUnknown(run: string, add: Add): void {
  for (const part of run.match(/[\p{Script=Katakana}ー]{2,}|[\p{Script=Han}々]{2,}/gu) ?? []) {
    const characters = [...part]
    if (/^[\p{Script=Katakana}ー]/u.test(part)) add(part, [part])
    else
      add(
        part,
        characters.slice(1).map((character, i) => characters[i]! + character),
      )
  }
}
