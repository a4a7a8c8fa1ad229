import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createLogger } from './lib/logger.ts'
import { StartError } from './lib/start-error.ts'
import { listenForMetrics } from './listen.ts'

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
    new StartError(`Port ${port} is already in use. Set METRICS_PORT to a free port.`),
  )
})
