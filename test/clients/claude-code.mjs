// Claude Code itself, without a model: it adds both servers and checks their health. With a key it connects and never starts
// OAuth. At /mcp/connect it finds the authorization server and asks the person to sign in, which needs a browser.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const { resolve } = createRequire(import.meta.url)
const claude = resolve(`@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`)
const home = mkdtempSync(join(tmpdir(), 'handrail-claude-code-'))

async function run(...args) {
  const { stdout, stderr } = await promisify(execFile)(claude, args, {
    cwd: home,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      // Nothing but the service is called.
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    },
    timeout: 50_000,
  })
  return stdout + stderr
}

/** Passes requests on to the service, and records their paths. */
async function startRecorder(target) {
  const paths = []
  const server = createServer((incoming, response) => {
    paths.push(incoming.url)
    const { hostname, port } = new URL(target)
    const { url: path, method, headers } = incoming
    const forwarded = request({ hostname, port, path, method, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers)
      answer.pipe(response)
    })
    forwarded.on('error', () => response.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    paths,
    close: () => server.closeAllConnections() ?? server.close(),
  }
}

const { origin } = new URL(process.env.MCP_URL)
const recorder = await startRecorder(origin)
try {
  const key = `X-Api-Key: ${process.env.HANDRAIL_API_KEY}`
  await run('mcp', 'add', '--transport', 'http', 'with-key', `${recorder.url}/mcp`, '--header', key)
  const withKey = await run('mcp', 'list')
  assert.match(withKey, /with-key: .*Connected/)
  assert.deepEqual([...new Set(recorder.paths)], ['/mcp'])
  await run('mcp', 'remove', 'with-key')
  // Directly, because the resource must be the address that the service knows.
  await run('mcp', 'add', '--transport', 'http', 'by-sign-in', `${origin}/mcp/connect`)
  assert.match(await run('mcp', 'list'), /by-sign-in: .*Needs authentication/)
  console.log('client passed')
} finally {
  recorder.close()
  rmSync(home, { recursive: true, force: true })
}
