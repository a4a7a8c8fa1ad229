// biome-ignore-all lint/suspicious/noTemplateCurlyInString: ${…} is placeholder syntax of the MCP clients

import { type SnippetGroup, terminal } from '../../ui/snippet-group.ts'

export type ConnectTarget = {
  /** URL of the service, without a trailing slash. */
  url: string
  /** URL of the MCP server, including /mcp. Undefined if none is configured. */
  mcpEndpoint: string | undefined
  apiKey: string
  /** Version of the service, which is in the name of its Python client. */
  version: string
}

export type ClientSnippet = SnippetGroup & {
  id: string
  /** What to do with the blocks. */
  instruction: string
  warning?: string
}

const aboutSignIn =
  'You sign in to Handrail, choose a workspace and see what the app may do. An admin must first allow connected apps, and Handrail must be reachable from the internet.'

/** The configuration per client, with the key filled in. A test connects with the values of each snippet. */
export function clientSnippets({ mcpEndpoint, ...target }: ConnectTarget): ClientSnippet[] {
  return [...(mcpEndpoint ? mcpSnippets(mcpEndpoint, target.apiKey) : []), ...restSnippets(target)]
}

function mcpSnippets(mcpEndpoint: string, apiKey: string): ClientSnippet[] {
  const headers = { 'X-Api-Key': apiKey }
  const notHttps = mcpEndpoint.startsWith('https:')
    ? {}
    : { warning: 'This address is not HTTPS, so Claude and ChatGPT cannot use it.' }
  const mcpServers = json({ mcpServers: { handrail: { url: mcpEndpoint, headers } } })
  return [
    {
      id: 'any',
      title: 'Any client',
      instruction: 'Add this to the file, save it and restart the client.',
      blocks: [{ where: 'mcp.json', text: mcpServers }],
      hint: 'Most MCP clients use this format. Keep the key out of version control.',
    },
    {
      id: 'claude-code',
      title: 'Claude Code',
      instruction: 'Run this command.',
      blocks: [
        {
          where: terminal,
          text: `claude mcp add --transport http handrail ${mcpEndpoint} \\\n  --header "X-Api-Key: ${apiKey}"`,
        },
      ],
      hint: 'If you edit .mcp.json by hand, the entry also needs "type": "http".',
    },
    {
      id: 'cursor',
      title: 'Cursor',
      instruction: 'Add this to the file and save it.',
      blocks: [{ where: '.cursor/mcp.json', text: mcpServers }],
      hint: 'Reload the window after saving. ${env:NAME} reads the key from the environment.',
    },
    {
      id: 'vs-code',
      title: 'VS Code',
      instruction: 'Add this to the file and save it.',
      blocks: [
        {
          where: '.vscode/mcp.json',
          text: json({ servers: { handrail: { type: 'http', url: mcpEndpoint, headers } } }),
        },
      ],
      hint: 'VS Code names the object servers, not mcpServers.',
    },
    {
      id: 'windsurf',
      title: 'Windsurf',
      instruction: 'Add this to the file, save it and restart the client.',
      blocks: [
        {
          where: '~/.codeium/windsurf/mcp_config.json',
          text: json({ mcpServers: { handrail: { serverUrl: mcpEndpoint, headers } } }),
        },
      ],
      hint: 'Windsurf names the field serverUrl, not url.',
    },
    {
      id: 'codex',
      title: 'Codex',
      instruction: 'Add this to the file, save it and restart the client.',
      blocks: [
        {
          where: '~/.codex/config.toml',
          text: `[mcp_servers.handrail]\nurl = "${mcpEndpoint}"\nhttp_headers = { "X-Api-Key" = "${apiKey}" }\ntool_timeout_sec = 630`,
        },
      ],
      hint: 'tool_timeout_sec raises the time limit of a tool call, because one wait can take up to 600 seconds.',
    },
    {
      id: 'claude-desktop',
      title: 'Claude Desktop',
      instruction: 'Add this to the file, save it and restart the client.',
      blocks: [
        {
          where: 'claude_desktop_config.json',
          text: json({
            mcpServers: {
              handrail: {
                command: 'npx',
                // No space after the colon: some hosts split arguments there.
                args: [
                  '-y',
                  'mcp-remote',
                  mcpEndpoint,
                  '--transport',
                  'http-only',
                  '--header',
                  'X-Api-Key:${HANDRAIL_API_KEY}',
                ],
                env: { HANDRAIL_API_KEY: apiKey },
              },
            },
          }),
        },
      ],
      hint: "Claude Desktop can't send a key to a remote server, so this uses the mcp-remote bridge. Or connect without a key: see Claude.",
    },
    {
      id: 'claude',
      title: 'Claude',
      instruction: 'Add this address as a connector. No key is needed.',
      blocks: [{ where: 'Settings, Connectors, Add custom connector', text: `${mcpEndpoint}/connect` }],
      ...notHttps,
      hint: `For Claude on the web, desktop and mobile. ${aboutSignIn}`,
    },
    {
      id: 'chatgpt',
      title: 'ChatGPT',
      instruction: 'Add this address as an app. No key is needed.',
      blocks: [{ where: 'Settings, Apps, Create (developer mode)', text: `${mcpEndpoint}/connect` }],
      ...notHttps,
      hint: `Choose OAuth as the authentication. ${aboutSignIn}`,
    },
  ]
}

function restSnippets({ url, apiKey, version }: Omit<ConnectTarget, 'mcpEndpoint'>): ClientSnippet[] {
  return [
    {
      id: 'curl',
      title: 'curl',
      instruction: 'Run this command.',
      blocks: [
        {
          where: terminal,
          text: `curl ${url}/api/v1/tasks \\
  -H "X-Api-Key: ${apiKey}" \\
  -H "Content-Type: application/json" \\
  -d '{
    "task": { "type": "hello", "name": "Say hello", "description": "The first task of my agent." },
    "actions": [{ "id": "hello", "title": "Hello" }]
  }'`,
        },
      ],
      hint: 'The response is 201 with the task ID. GET /api/v1/tasks/<id>?waitSeconds=50 waits for the answer.',
    },
    {
      id: 'typescript',
      title: 'TypeScript',
      instruction: 'Install the client, save the program and run it.',
      blocks: [
        { where: terminal, text: `npm install ${url}/client.tgz` },
        {
          where: 'agent.mjs',
          text: `import { createClient } from 'handrail-client'

const handrail = createClient({
  baseUrl: '${url}',
  apiKey: '${apiKey}',
})

const answer = await handrail.ask({
  task: { type: 'hello', name: 'Say hello', description: 'The first task of my agent.' },
  actions: [{ id: 'hello', title: 'Hello' }],
  onCreated: (task) => console.log('Waiting for an answer:', task.url),
})
console.log(answer.handledBy, 'chose', answer.action)`,
        },
        { where: terminal, text: 'node agent.mjs' },
      ],
      hint: 'Run this in a folder of your own, not in a clone of Handrail. Needs Node 20.3 or later. The client is typed and has no dependencies.',
    },
    {
      id: 'python',
      title: 'Python',
      instruction: 'Install the client, save the program and run it.',
      blocks: [
        {
          where: terminal,
          text: `python3 -m venv .venv\n.venv/bin/pip install ${url}/client/handrail-${version}-py3-none-any.whl`,
        },
        {
          where: 'agent.py',
          text: `from handrail import Client

handrail = Client("${url}", "${apiKey}")

answer = handrail.ask(
    type="hello",
    name="Say hello",
    description="The first task of my agent.",
    actions=[{"id": "hello", "title": "Hello"}],
    on_created=lambda task: print("Waiting for an answer:", task.url),
)
print(answer.handled_by, "chose", answer.action)`,
        },
        { where: terminal, text: '.venv/bin/python agent.py' },
      ],
      hint: 'Needs Python 3.9 or later. The client is typed, has no dependencies and also works with asyncio.',
    },
  ]
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
