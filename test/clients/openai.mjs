import { MCPServerStreamableHttp } from '@openai/agents'
import { testClient } from './steps.mjs'

await testClient(async (url, headers) => {
  const server = new MCPServerStreamableHttp({ name: 'handrail', url, requestInit: { headers } })
  await server.connect()
  return {
    list: async () => (await server.listTools()).map(({ name }) => name),
    async call(name, args) {
      const content = await server.callTool(name, args)
      return content.map(({ text }) => text)
    },
    async read(uri) {
      const { contents } = await server.readResource(uri)
      return contents[0].text
    },
    close: () => server.close(),
  }
})
