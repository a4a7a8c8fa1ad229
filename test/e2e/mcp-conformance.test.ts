import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checksLeftOut, leftOut } from '../conformance/left-out.ts'
import { type Check, installSuite, runSuite, whyNotHere } from '../conformance/suite.ts'
import { startProxy, type TestProxy } from '../support/mcp-key-proxy.ts'
import { startService, type TestService } from '../support/service.ts'

const judged: Record<string, string[]> = {
  '2025-11-25': [
    'dns-rebinding-protection',
    'logging-set-level',
    'ping',
    'resources-list',
    'server-initialize',
    'server-session-lifecycle',
    'server-sse-multiple-streams',
    'tools-list',
  ],
  '2026-07-28': [
    'caching',
    'dns-rebinding-protection',
    'http-header-validation',
    'input-required-result-unsupported-methods',
    'resources-list',
    'sep-2164-resource-not-found',
    'server-sse-multiple-streams',
    'server-stateless',
    'tools-list',
  ],
}

describe.skipIf(whyNotHere)(
  `the official conformance suite${whyNotHere ? ` (left out: ${whyNotHere})` : ''}`,
  () => {
    let service: TestService
    let proxy: TestProxy
    beforeAll(async () => {
      await installSuite()
      // The suite cannot send a key: something in front of the service adds it, and is its public address.
      proxy = await startProxy()
      service = await startService({ SERVICE_MCP_PUBLIC_URL: proxy.url })
      proxy.targets.push(service.url)
      proxy.headers['x-api-key'] = (await service.workspace()).apiKey
    }, 240_000)
    afterAll(async () => {
      await proxy?.stop()
      await service?.stop()
    })

    const seen: Check[] = []

    test.each(Object.keys(judged))(
      '%s: every scenario that needs no fixtures passes without a warning',
      async (revision) => {
        const checks = await runSuite(`${proxy.url}/mcp`, revision)
        seen.push(...checks)
        const counted = checks.filter(({ scenario, id }) => !(scenario in leftOut) && !(id in checksLeftOut))
        expect([...new Set(counted.map(({ scenario }) => scenario))].sort()).toEqual(judged[revision])
        expect(counted.filter(({ status }) => !['SUCCESS', 'INFO', 'SKIPPED'].includes(status))).toEqual([])
        for (const scenario of judged[revision]!) {
          const passed = counted.filter((check) => check.scenario === scenario && check.status === 'SUCCESS')
          expect([scenario, passed.length]).toEqual([scenario, expect.toSatisfy((count) => count > 0)])
        }
      },
    )

    test('every excluded scenario still exists and would not pass', () => {
      const failed = seen.filter(({ status }) => ['FAILURE', 'WARNING'].includes(status))
      expect(Object.keys(checksLeftOut).filter((id) => !failed.some((check) => check.id === id))).toEqual([])
      const inSuite = new Set(seen.map(({ scenario }) => scenario))
      expect(Object.keys(leftOut).filter((scenario) => !inSuite.has(scenario))).toEqual([])
    })
  },
)
