import { MultiServerMCPClient } from '@langchain/mcp-adapters'
import { testClient } from './steps.mjs'

await testClient(async (url, headers) => {
  const client = new MultiServerMCPClient({ mcpServers: { handrail: { transport: 'http', url, headers } } })
  const tools = await client.getTools()
  return {
    list: async () => tools.map(({ name }) => name),
    async call(name, args) {
      const content = await tools.find((tool) => tool.name === name).invoke(args)
      return [content].flat().map(({ text }) => text)
    },
    close: () => client.close(),
  }
})
