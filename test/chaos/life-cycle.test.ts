import { afterAll, beforeAll, test } from 'vitest'
import { type Node, startNodes, stopNodes } from '../support/nodes.ts'
import { startService, type TestService } from '../support/service.ts'
import { walkLifeCycle } from './life-cycle/walk.ts'

const allowed = { CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' }

let backend: TestService
let nodes: Node[]
beforeAll(async () => {
  backend = await startService(allowed, ['--only', 'backend'])
  nodes = await startNodes(backend.databaseUrl, 2, allowed)
}, 60_000)
afterAll(async () => {
  await stopNodes(nodes ?? [])
  await backend?.stop()
})

test('30 long random walks of agents and people at two processes match a simple model', async () => {
  const [here, there] = nodes as [Node, Node]
  await walkLifeCycle(backend, [here.url, there.url], { walks: 30, steps: 150, seconds: 300 })
})
