import { expect, test } from 'vitest'
import { nameSpan } from './sanitize.ts'

test('a sender’s name is one short code span, whatever it contains', () => {
  const shown = nameSpan(`\`\`\`\n# Hi | there [x](https://evil.example) ${'a'.repeat(1_000_000)}`)
  expect(shown).toMatch(/^`[^`|\n]{1,81}`$/)
  expect(shown).not.toContain('://')
})
