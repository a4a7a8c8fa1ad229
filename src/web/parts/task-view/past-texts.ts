type Options = { minCount: number }

// Longer texts are usually specific to one task, unless they were repeated.
const maxOnceLength = 60
const maxRepeatedLength = 200
const maxTexts = 4

/** The texts a person uses most, then the newest. `texts` are sorted from new to old; a final period does not matter. */
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

/** Without repetitions, the first of each; a final period does not matter. */
export function distinctTexts(texts: string[]): string[] {
  const keys = texts.map(withoutPeriod)
  return texts.filter((_, n) => keys.indexOf(keys[n]!) === n)
}

const withoutPeriod = (text: string) => text.replace(/\.$/, '')

const maxLength = (count: number) => (count > 1 ? maxRepeatedLength : maxOnceLength)
