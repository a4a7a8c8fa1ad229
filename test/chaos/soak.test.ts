import { mkdirSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseSessions } from '../support/database-sessions.ts'
import { type Inspected, inspectable, inspectNode, type Usage } from '../support/inspected-node.ts'
import { type Node, startNodes, stopNodes } from '../support/nodes.ts'
import { startReceiver } from '../support/receiver.ts'
import { startService, type TestService } from '../support/service.ts'
import { soak } from './soak-load.ts'
import { growsIn, growthOf, warm } from './trend.ts'

// npm run test:chaos -- soak --minutes 30
const minutes = Number(process.env.SOAK_MINUTES ?? 3)
const secondsApart = 2

// The minimum growth that counts: megabytes and numbers. The pool of ten connections fills
// gradually.
const worthALook = { heap: 4, rss: 40, handles: 15, files: 15, connections: 10 }
type Quantity = keyof typeof worthALook
type Sample = Usage & { connections: number; at: number }

let backend: TestService
let node: Node
let inspected: Inspected
let receiver: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => {
  receiver = await startReceiver()
  // Creates the workspace. The load goes to the other service, in its own process.
  backend = await startService({}, ['--only', 'backend'])
  ;[node] = (await startNodes(backend.databaseUrl, 1, {
    ...inspectable,
    CALLBACK_ALLOW_CIDRS: '127.0.0.0/8',
  })) as [Node]
  inspected = await inspectNode(node)
}, 60_000)
afterAll(async () => {
  inspected?.close()
  if (node) await stopNodes([node])
  await backend?.stop()
  await receiver?.stop()
})

test(
  'under everyday load for minutes nothing grows: memory, handles, files, connections',
  async () => {
    const workspace = await backend.workspace()
    const load = soak(node.url, workspace, `${receiver.url}/hook`)
    const samples: Sample[] = []
    const startedAt = Date.now()
    while (Date.now() - startedAt < minutes * 60_000) {
      await sleep(secondsApart * 1_000)
      const usage = await inspected.usage()
      const connections = Object.values(await databaseSessions(backend.databaseUrl)).reduce(
        (a, b) => a + b,
        0,
      )
      samples.push({ at: (Date.now() - startedAt) / 1_000, ...usage, connections })
      if (samples.length % 10 === 0) console.log(`${inWords(samples.at(-1)!)}, ${load.calls()} calls`)
    }
    const { odd } = await load.stop()
    keep(samples)
    expect(odd).toEqual([])
    expect(load.calls()).toBeGreaterThan(minutes * 60)

    const quantities = Object.keys(worthALook) as Quantity[]
    const seriesOf = (what: Quantity) => samples.map((sample) => ({ at: sample.at, value: sample[what] }))
    for (const what of quantities) {
      const { growth, noise } = growthOf(warm(seriesOf(what)))
      console.log(`${what}: grew by ${growth.toFixed(2)}, noise ${noise.toFixed(2)}`)
    }
    expect(quantities.filter((what) => growsIn(seriesOf(what), worthALook[what]))).toEqual([])
  },
  (minutes + 3) * 60_000,
)

function inWords({ at, heap, rss, handles, files, connections }: Sample): string {
  return `${Math.round(at)} s: heap ${heap.toFixed(1)} MB, RSS ${Math.round(rss)} MB, ${handles} handles, ${files} files, ${connections} connections`
}

function keep(samples: Sample[]): void {
  mkdirSync('test-results', { recursive: true })
  const columns = ['at', 'heap', 'rss', 'handles', 'files', 'connections'] as const
  const lines = samples.map((sample) => columns.map((column) => sample[column].toFixed(2)).join(','))
  writeFileSync('test-results/soak.csv', [columns.join(','), ...lines, ''].join('\n'))
}
