import { expect, test } from 'vitest'
import { openMcpSession } from '../support/mcp-session.ts'
import { startNginx } from '../support/nginx.ts'
import { startRestartablePostgres } from '../support/restartable-postgres.ts'
import { startService, taskPayload } from '../support/service.ts'

test('behind nginx a wait of 50 s and a quiet stream stay open', async () => {
  const nginx = await startNginx()
  const postgres = await startRestartablePostgres()
  const service = await startService({
    DATABASE_URL: postgres.url,
    PUBLIC_URL: nginx.path.url,
    PORT: String(nginx.path.port),
  })
  try {
    const acme = await service.workspace()
    const session = await openMcpSession(service.url, acme.apiKey)
    const stream = await session.stream()
    const { taskId } = (await acme.agent.post('/tasks', taskPayload())).body
    const waits = await Promise.all([
      acme.agent.get(`/tasks/${taskId}?waitSeconds=50`),
      session.call('get_task', { taskId, waitSeconds: 50 }),
    ])
    expect(waits[0].body).toMatchObject({ status: 'open' })
    expect(waits[1].structuredContent).toMatchObject({ status: 'open' })
    expect(stream.isOpen()).toBe(true)
    expect(stream.comments.length).toBeGreaterThan(2)
    await stream.close()
  } finally {
    await service.stop()
    await postgres.end()
    await nginx.stop()
  }
})
