const maxTextLength = 2_000

// Scripts without spaces between words need Intl.Segmenter. For all others a pattern is faster.
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** The words at the beginning of a text, in lower case and in compatibility normal form (NFKC). */
export function wordsOf(text: string): string[] {
  const plain = text.slice(0, maxTextLength).normalize('NFKC').toLowerCase()
  if (!unspaced.test(plain)) return plain.match(/[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}'’]|\u200c|\u200d)*/gu) ?? []
  const words: string[] = []
  for (const { segment, isWordLike } of segmenter.segment(plain)) if (isWordLike) words.push(segment)
  return words
}
