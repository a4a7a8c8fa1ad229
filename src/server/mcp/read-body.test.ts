import { expect, test } from 'vitest'
import { readBody } from './read-body.ts'

test.each([
  ['{', 'Parse error: Invalid JSON at line 1, column 2: expected a key in double quotes.'],
  ['{"id": 1, "id": 2}', 'Parse error: id: Duplicate key. Send each key once.'],
])('the parse error of %s names the path, if there is one', async (body, message) => {
  const response = (await readBody(new Request('http://localhost', { method: 'POST', body }))) as Response
  expect(await response.json()).toMatchObject({ error: { message } })
})
