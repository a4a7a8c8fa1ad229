import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { receiverSnippets } from './webhook-receiver-snippets.ts'

test('the page shows exactly the receivers of docs/webhooks.md', () => {
  const docs = readFileSync(fileURLToPath(new URL('../../../../docs/webhooks.md', import.meta.url)), 'utf8')
  for (const { title, blocks } of receiverSnippets)
    for (const { text } of blocks) expect(docs.includes(`\n${text}\n\`\`\``), title).toBe(true)
})
