import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { snippets } from './receiver-snippets.ts'

test('the page shows exactly the receivers of docs/webhooks.md', () => {
  const docs = readFileSync(fileURLToPath(new URL('../../../../docs/webhooks.md', import.meta.url)), 'utf8')
  for (const { title, code } of snippets) expect(docs.includes(`\n${code}\n\`\`\``), title).toBe(true)
})
