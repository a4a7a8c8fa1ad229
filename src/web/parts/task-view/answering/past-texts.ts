type Options = { minCount: number }

// Lengths in characters. Longer texts are usually specific to one task, unless they were repeated.
const maxOnceLength = 60
const maxRepeatedLength = 200
const maxTexts = 4

/**
 * The single-line texts that a person uses most, the most frequent first and equally frequent ones
 * from new to old. `texts` are sorted from new to old. Texts that differ only in a final period count
 * as one.
 */
export function frequentTexts(texts: unknown[], { minCount }: Options): string[] {
  const found = new Map<string, { text: string; count: number }>()
  for (const value of texts) {
    const text = typeof value === 'string' ? value.trim() : ''
    if (text === '' || text.includes('\n')) continue
    const key = withoutPeriod(text)
    const newest = found.get(key)?.text ?? text
    found.set(key, { text: newest, count: (found.get(key)?.count ?? 0) + 1 })
  }
  return [...found.values()]
    .filter(({ text, count }) => count >= minCount && text.length <= maxLength(count))
    .sort((a, b) => b.count - a.count)
    .slice(0, maxTexts)
    .map(({ text }) => text)
}

/** The texts without repetitions. Texts that differ only in a final period count as one: the first. */
export function distinctTexts(texts: string[]): string[] {
  const keys = texts.map(withoutPeriod)
  return texts.filter((_, n) => keys.indexOf(keys[n]!) === n)
}

const withoutPeriod = (text: string) => text.replace(/\.$/, '')

const maxLength = (count: number) => (count > 1 ? maxRepeatedLength : maxOnceLength)
