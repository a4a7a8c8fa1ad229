import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { HolderMessage, OpenStreams } from '../clients/stream-holder.ts'
import { startBaseline } from '../frame/baseline.ts'
import { createHttpClient } from '../frame/http-client.ts'
import { toolCall } from '../frame/mcp.ts'
import { canReadProcesses, cpuSecondsOf, family, kilobytesOf, openFilesLimit } from '../frame/processes.ts'
import { beside, type Context, quantile, type Result, type Row, spread } from '../frame/row.ts'
import { withService } from '../frame/service.ts'
import { task } from '../frame/task.ts'
import { setUpWorkspace } from '../frame/workspace.ts'

// Opened before memory is measured, because the first streams allocate code and buffers that the
// others share.
const firstStreams = 500
// Longer than the heartbeat interval of 15 s.
const idleSeconds = 16
const idleRounds = 3
const settleSeconds = 5
// A prime, so that pushes go to different streams that are far apart.
const stride = 7919

export const idleStreams: Row = {
  name: 'idle-streams',
  about:
    '10,000 idle GET streams on one process: time to open, memory, idle CPU, and a push to one; beside a bare SSE writer',
  async run(context) {
    const count = context.quick ? 3_000 : 10_000
    if (!canReadProcesses) throw new Error('idle-streams reads /proc, which only Linux has.')
    if (openFilesLimit() < count + 1_000) {
      throw new Error(
        `${count} streams need ${count + 1_000} open files. Raise the limit: ulimit -n ${count + 1_000}`,
      )
    }
    return await withService(async (service) => {
      const workspace = await setUpWorkspace(service)
      const client = createHttpClient(service.url, 2)
      const baseline = await startBaseline('sse-server')
      const bareClient = createHttpClient(baseline.url)
      try {
        const product = await hold(context, 'handrail', count, service.pid, {
          kind: 'mcp',
          url: service.url,
          identity: workspace.agent,
          /** Creates a task in that session and answers it. */
          async push(sessionId) {
            const { headers, body } = toolCall('2025', 'send_to_human', { ...task, delivery: 'sse' })
            const created = await client.send(
              'POST',
              '/mcp',
              { ...headers, ...workspace.agent, 'mcp-session-id': sessionId },
              JSON.parse(body),
            )
            const { taskId } = JSON.parse(created.text).result.structuredContent
            const answer = { actionId: 'approve', data: {} }
            await client.send('POST', `/api/v1/tasks/${taskId}/handle`, workspace.owner, answer)
            return process.hrtime.bigint()
          },
        })
        const bare = await hold(context, 'the bare writer', count, baseline.pid, {
          kind: 'bare',
          url: baseline.url,
          identity: {},
          async push(stream) {
            const startedAt = process.hrtime.bigint()
            await bareClient.send('POST', `/${stream}`, {})
            return startedAt
          },
        })
        return report(count, product, bare)
      } finally {
        client.close()
        bareClient.close()
        await baseline.stop()
      }
    })
  },
}

type Side = Pick<OpenStreams, 'kind' | 'url' | 'identity'> & {
  /** Writes to one of the streams. Returns when its latency begins, in nanoseconds. */
  push(name: string): Promise<bigint>
}
type Held = {
  openSeconds: number
  /** Memory per stream. */
  kilobytes: number
  idle: Idle[]
  /** Milliseconds in ascending order, per round. */
  pushes: number[][]
}
/** CPU usage in percent of a core: of the process alone, and with its descendants. */
type Idle = { alone: number; family: number }

/** Opens the streams in a process of their own and measures them. `pid` is the server. */
async function hold(context: Context, who: string, count: number, pid: number, side: Side): Promise<Held> {
  const holder = fork(fileURLToPath(new URL('../clients/stream-holder.js', import.meta.url)))
  try {
    const { kind, url, identity } = side
    let openSeconds = 0
    const open = async (more: number) => {
      const startedAt = performance.now()
      const names = await openStreams(holder, { kind, url, identity, count: more })
      openSeconds += (performance.now() - startedAt) / 1000
      return names
    }
    context.showProgress(`${who}: opening ${count} streams`)
    await open(firstStreams)
    await sleep(settleSeconds * 1000)
    const before = kilobytesOf([pid])
    const names = await open(count - firstStreams)
    await sleep(settleSeconds * 1000)
    const kilobytes = (kilobytesOf([pid]) - before) / (count - firstStreams)
    const idle: Idle[] = []
    const pushes: number[][] = []
    for (let round = 1; round <= idleRounds; round++) {
      context.showProgress(`${who}: idle for ${idleSeconds} s, ${round} of ${idleRounds}`)
      idle.push(await idleFor(pid))
      context.showProgress(`${who}: pushing`)
      pushes.push(await push(holder, names, side, context.quick ? 50 : 200))
    }
    return { openSeconds, kilobytes, idle, pushes }
  } finally {
    holder.kill()
    await once(holder, 'exit')
  }
}

async function idleFor(pid: number): Promise<Idle> {
  const [alone, all] = [cpuSecondsOf([pid]), cpuSecondsOf(family(pid))]
  await sleep(idleSeconds * 1000)
  const percent = (seconds: number) => (seconds / idleSeconds) * 100
  return { alone: percent(cpuSecondsOf([pid]) - alone), family: percent(cpuSecondsOf(family(pid)) - all) }
}

/**
 * Milliseconds until the stream receives each push, in ascending order; 0 if it arrived before the
 * response to the answer.
 */
async function push(holder: ChildProcess, names: string[], side: Side, times: number): Promise<number[]> {
  const taken: number[] = []
  for (let n = 0; n < times; n++) {
    const message = once(holder, 'message') as Promise<[Extract<HolderMessage, { receivedAt: string }>]>
    const from = await side.push(names[(n * stride) % names.length]!)
    const [{ receivedAt }] = await message
    taken.push(Math.max(Number(BigInt(receivedAt) - from) / 1e6, 0))
  }
  return taken.sort((a, b) => a - b)
}

async function openStreams(holder: ChildProcess, request: OpenStreams): Promise<string[]> {
  const opened = once(holder, 'message')
  holder.send(request)
  const [message] = (await opened) as [{ opened: string[] }]
  return message.opened
}

function report(count: number, product: Held, bare: Held): Result[] {
  const at = `${count.toLocaleString('en')} streams`
  const baselineIs = 'node:http, an SSE writer with one heartbeat sweep'
  const line = (what: string, unit: string, of: (held: Held) => number[], atMost: number): Result => ({
    what: `${at}: ${what}`,
    unit,
    baselineIs,
    ...beside(
      of(product).map((value, round) => ({ product: value, baseline: of(bare)[round]! })),
      (value) => value,
    ),
    targets: [{ of: 'product', is: 'at most', value: atMost }],
  })
  const pushed = (share: number) => (held: Held) => held.pushes.map((sorted) => quantile(sorted, share))
  return [
    line('time to open', 's', ({ openSeconds }) => [openSeconds], (15 * count) / 10_000),
    line('memory each', 'KB', ({ kilobytes }) => [kilobytes], 15),
    line('idle CPU', '% of a core', ({ idle }) => idle.map(({ alone }) => alone), 5),
    {
      what: `${at}: idle CPU with its PostgreSQL`,
      unit: '% of a core',
      product: spread(product.idle.map(({ family }) => family)),
    },
    line('answer to stream, p50', 'ms', pushed(0.5), 50),
    line('answer to stream, p99', 'ms', pushed(0.99), 50),
  ]
}
