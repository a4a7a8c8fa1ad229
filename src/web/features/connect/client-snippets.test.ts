import { expect, test } from 'vitest'
import { clientSnippets } from './client-snippets.ts'

const target = { url: 'https://handrail.example', apiKey: 'hr_1', version: '1.0.0' }

test('without an MCP server, only clients of the REST API are shown', () => {
  const snippets = clientSnippets({ ...target, mcpEndpoint: undefined })
  expect(snippets.map(({ id }) => id)).toEqual(['curl', 'typescript', 'python'])
  expect(JSON.stringify(snippets)).not.toContain('/mcp')
})

test('every snippet of an MCP client contains the endpoint', () => {
  const mcpEndpoint = 'https://mcp.example/mcp'
  const snippets = clientSnippets({ ...target, mcpEndpoint }).slice(0, -3)
  expect(snippets).toHaveLength(9)
  for (const { id, blocks } of snippets) expect(JSON.stringify(blocks), id).toContain(mcpEndpoint)
})
