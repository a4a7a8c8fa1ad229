import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './free-port.ts'

/** The configuration blocks of docs/deployment.md, so that the documented text is what is tested. */
export const [serverBlock, locationBlock] = [
  ...readFileSync(new URL('../../docs/deployment.md', import.meta.url), 'utf8').matchAll(
    /```nginx\n(.*?)```/gs,
  ),
].map(([, block]) => block!) as [string, string]

const program = () => process.env.NGINX_PATH ?? (existsSync('/usr/sbin/nginx') ? '/usr/sbin/nginx' : 'nginx')

export type Nginx = Awaited<ReturnType<typeof startNginx>>

/**
 * nginx on loopback with both blocks: `https` at the root of a host, `http` below /handrail. The
 * upstream ports are fixed.
 */
export async function startNginx() {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-nginx-'))
  chmodSync(folder, 0o755) // for nginx workers when we are root
  const [https, http, behindHttps, behindHttp] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ]
  const certificate = join(folder, 'handrail.pem')
  const key = join(folder, 'handrail.key')
  execFileSync(
    process.env.OPENSSL_PATH ?? 'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '1']
      .concat(['-subj', '/CN=handrail.example', '-addext', 'subjectAltName=IP:127.0.0.1'])
      .concat(['-keyout', key, '-out', certificate]),
    { stdio: 'ignore' },
  )
  const rootServer = replaced(serverBlock, {
    'listen 443 ssl;': `listen 127.0.0.1:${https} ssl;`,
    '/etc/ssl/handrail.pem': certificate,
    '/etc/ssl/handrail.key': key,
    'http://127.0.0.1:3000': `http://127.0.0.1:${behindHttps}`,
  })
  const pathLocation = replaced(locationBlock, { 'http://127.0.0.1:3000': `http://127.0.0.1:${behindHttp}` })
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (kind) => `${kind}_temp_path ${join(folder, kind)};`,
  )
  const file = join(folder, 'nginx.conf')
  writeFileSync(
    file,
    `daemon off; worker_processes 1; pid ${join(folder, 'pid')}; error_log stderr warn;
events { worker_connections 256; }
http {
access_log off;
${temporary.join('\n')}
${rootServer}
server { listen 127.0.0.1:${http}; ${pathLocation} }
}
`,
  )
  const child = spawn(program(), ['-e', 'stderr', '-p', folder, '-c', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const killAtExit = () => child.kill('SIGTERM')
  process.once('exit', killAtExit)
  let log = ''
  child.stderr.on('data', (chunk) => {
    log += chunk
  })
  const closed = once(child, 'close')
  while (!(await isListening(http))) {
    if (child.exitCode !== null) throw new Error(`nginx did not start: ${log}`)
    await sleep(20)
  }
  return {
    /** The public URL and the upstream port. */
    root: { url: `https://127.0.0.1:${https}`, port: behindHttps },
    path: { url: `http://127.0.0.1:${http}/handrail`, port: behindHttp },
    certificate: readFileSync(certificate, 'utf8'),
    async stop() {
      child.kill('SIGTERM')
      await closed
      process.off('exit', killAtExit)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function replaced(block: string, changes: Record<string, string>): string {
  return Object.entries(changes).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`docs/deployment.md no longer has ${from}`)
    return text.replaceAll(from, to)
  }, block)
}

function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  return new Promise<boolean>((resolve) => {
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false))
  }).finally(() => socket.destroy())
}
