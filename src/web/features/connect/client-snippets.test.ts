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

test('apps that connect by signing in need no key, and warn of an address that is not HTTPS', () => {
  const signInSnippets = (mcpEndpoint: string) =>
    clientSnippets({ ...target, mcpEndpoint }).filter(({ id }) => ['claude', 'chatgpt'].includes(id))
  const https = signInSnippets('https://mcp.example/mcp')
  expect(https).toHaveLength(2)
  expect(JSON.stringify(https)).not.toContain(target.apiKey)
  expect(https.map(({ warning }) => warning)).toEqual([undefined, undefined])
  for (const { warning } of signInSnippets('http://localhost:3000/mcp')) expect(warning).toMatch(/not HTTPS/)
})
