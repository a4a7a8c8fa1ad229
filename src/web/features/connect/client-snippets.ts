// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these belong to the clients

export type ConnectTarget = {
  /** Base URL of the REST API, without a trailing slash. */
  url: string
  /** URL of the MCP server, including /mcp. */
  mcpUrl: string
  apiKey: string
}

export type ClientSnippet = {
  id: string
  client: string
  /** The file to edit, or "Terminal". */
  where: string
  text: string
  hint: string
}

/** The configuration per client, with the key filled in. A test runs each snippet unchanged. */
export function clientSnippets(target: ConnectTarget): ClientSnippet[] {
  const { url, mcpUrl, apiKey } = target
  const headers = { 'X-Api-Key': apiKey }
  return [
    {
      id: 'any',
      client: 'Any client',
      where: 'mcp.json',
      text: json({ mcpServers: { handrail: { url: mcpUrl, headers } } }),
      hint: 'Most MCP clients use this format. Keep the key out of version control.',
    },
    {
      id: 'claude-code',
      client: 'Claude Code',
      where: 'Terminal',
      text: `claude mcp add --transport http handrail ${mcpUrl} \\\n  --header "X-Api-Key: ${apiKey}"`,
      hint: 'If you edit .mcp.json by hand, the entry also needs "type": "http".',
    },
    {
      id: 'cursor',
      client: 'Cursor',
      where: '.cursor/mcp.json',
      text: json({ mcpServers: { handrail: { url: mcpUrl, headers } } }),
      hint: 'Reload the window after saving. ${env:NAME} reads the key from the environment.',
    },
    {
      id: 'vs-code',
      client: 'VS Code',
      where: '.vscode/mcp.json',
      text: json({ servers: { handrail: { type: 'http', url: mcpUrl, headers } } }),
      hint: 'VS Code names the object servers, not mcpServers.',
    },
    {
      id: 'windsurf',
      client: 'Windsurf',
      where: '~/.codeium/windsurf/mcp_config.json',
      text: json({ mcpServers: { handrail: { serverUrl: mcpUrl, headers } } }),
      hint: 'Windsurf names the field serverUrl, not url.',
    },
    {
      id: 'codex',
      client: 'Codex',
      where: '~/.codex/config.toml',
      text: `[mcp_servers.handrail]\nurl = "${mcpUrl}"\nhttp_headers = { "X-Api-Key" = "${apiKey}" }\ntool_timeout_sec = 120`,
      hint: 'tool_timeout_sec raises the default limit of 60 seconds per tool call; one wait takes up to 50.',
    },
    {
      id: 'claude-desktop',
      client: 'Claude Desktop',
      where: 'claude_desktop_config.json',
      text: json({
        mcpServers: {
          handrail: {
            command: 'npx',
            // No space after the colon: some hosts split arguments there.
            args: [
              '-y',
              'mcp-remote',
              mcpUrl,
              '--transport',
              'http-only',
              '--header',
              'X-Api-Key:${HANDRAIL_API_KEY}',
            ],
            env: { HANDRAIL_API_KEY: apiKey },
          },
        },
      }),
      hint: "Claude Desktop can't send a key to a remote server, so this uses the mcp-remote bridge. Restart Claude Desktop after saving.",
    },
    {
      id: 'curl',
      client: 'curl',
      where: 'Terminal',
      text: `curl ${url}/api/v1/tasks \\
  -H "X-Api-Key: ${apiKey}" \\
  -H "Content-Type: application/json" \\
  -d '{
    "task": { "type": "hello", "name": "Say hello", "description": "The first task of my agent." },
    "actions": [{ "id": "hello", "title": "Hello" }]
  }'`,
      hint: 'The response is 201 with the task ID. GET /api/v1/tasks/<id>?waitSeconds=50 waits for the answer.',
    },
    {
      id: 'typescript',
      client: 'TypeScript',
      where: 'agent.ts',
      text: `import { createClient } from 'handrail-client'

const handrail = createClient({ baseUrl: '${url}', apiKey: '${apiKey}' })

const { taskId } = await handrail.createTask({
  task: { type: 'hello', name: 'Say hello', description: 'The first task of my agent.' },
  actions: [{ id: 'hello', title: 'Hello' }],
})
const { handled } = await handrail.waitForAnswer(taskId)
console.log(handled?.handledBy, 'said', handled?.actionTitle)`,
      hint: `Install the client from this service: npm install ${url}/client.tgz. It runs in Node 20.3 or later and in browsers.`,
    },
    {
      id: 'python',
      client: 'Python',
      where: 'agent.py',
      text: `import json, urllib.request

def call(method, path, body=None):
    request = urllib.request.Request(
        "${url}/api/v1" + path,
        method=method,
        data=json.dumps(body).encode() if body else None,
        headers={"X-Api-Key": "${apiKey}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as response:
        return json.load(response)

task = call("POST", "/tasks", {
    "task": {"type": "hello", "name": "Say hello", "description": "The first task of my agent."},
    "actions": [{"id": "hello", "title": "Hello"}],
})
record = {"status": "open"}
while record["status"] == "open":
    record = call("GET", f"/tasks/{task['taskId']}?waitSeconds=50")
print(record["handled"]["handledBy"], "said", record["handled"]["actionTitle"])`,
      hint: 'Uses only the standard library.',
    },
  ]
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2)
}
