import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createLogger } from './lib/logger.ts'
import { StartError } from './lib/start-error.ts'
import { listen, listenForMetrics } from './listen.ts'

test('if METRICS_PORT is taken, the error names that variable', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const listening = listenForMetrics(
    { host: '127.0.0.1', metricsPort: port },
    async () => '',
    createLogger('silent'),
  )
  await expect(listening).rejects.toThrow(
    new StartError(
      `Port ${port} is already in use, perhaps by another Handrail process. Stop it, or set METRICS_PORT to a free port.`,
    ),
  )
})

test('if HOST is not an address of this machine, the error names that variable', async () => {
  // An address of TEST-NET-1, which no machine has.
  await expect(listen('192.0.2.1', 0, 10)).rejects.toThrow(
    new StartError(
      'Listening on 192.0.2.1, port 0, failed (EADDRNOTAVAIL). Set HOST to an address of this machine.',
    ),
  )
})
