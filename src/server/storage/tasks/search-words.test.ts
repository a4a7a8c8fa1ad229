import { expect, test } from 'vitest'
import { documentWords, queryWords } from './search-words.ts'

test('a long word is never cut inside a surrogate pair, which PostgreSQL refuses in JSON', () => {
  const text = `a${'𐐨'.repeat(30)}`
  const [word] = documentWords('workspace-1', text)
  expect(word?.isWellFormed()).toBe(true)
  expect(word).toBe(`kspace-1:a${'𐐨'.repeat(29)}`)
  expect(queryWords('workspace-1', text).last).toBe(word)
})
