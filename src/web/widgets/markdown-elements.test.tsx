import { expect, test } from 'vitest'
import { renderMarkdown } from './markdown-elements.tsx'

test.each([
  ['emphasis', (depth: number) => `${'*'.repeat(2 * depth)}a${'*'.repeat(2 * depth)}`],
  ['quotes', (depth: number) => `${'>'.repeat(depth)}a`],
])('%s nested too deeply: nothing is rendered', (_, nest) => {
  expect(renderMarkdown(nest(20))).toBeDefined()
  expect(renderMarkdown(nest(2_000))).toBeUndefined()
})
