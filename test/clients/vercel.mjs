import { createMCPClient } from '@ai-sdk/mcp'
import { testClient } from './steps.mjs'

await testClient(async (url, headers) => {
  const client = await createMCPClient({ transport: { type: 'http', url, headers } })
  const tools = await client.tools()
  return {
    list: async () => Object.keys(tools),
    async call(name, args) {
      const { content } = await tools[name].execute(args, { toolCallId: 'call', messages: [] })
      return content.map(({ text }) => text)
    },
    async read(uri) {
      const { contents } = await client.readResource({ uri })
      return contents[0].text
    },
    close: () => client.close(),
  }
})
