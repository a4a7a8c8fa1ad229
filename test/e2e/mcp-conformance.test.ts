import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { excludedChecks, excludedScenarios } from '../conformance/excluded.ts'
import { type Check, installSuite, runSuite } from '../conformance/suite.ts'
import { startProxy, type TestProxy } from '../support/mcp-key-proxy.ts'
import { startService, type TestService } from '../support/service.ts'

const expectedScenarios: Record<string, string[]> = {
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

describe('the official conformance suite', () => {
  let service: TestService
  let proxy: TestProxy
  beforeAll(async () => {
    await installSuite()
    // The suite cannot send a key. A proxy adds it and is the public URL of the service.
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

  test.each(Object.keys(expectedScenarios))(
    '%s: every scenario that needs no fixtures passes without a warning',
    async (revision) => {
      const checks = await runSuite(`${proxy.url}/mcp`, revision)
      seen.push(...checks)
      const counted = checks.filter(
        ({ scenario, id }) => !(scenario in excludedScenarios) && !(id in excludedChecks),
      )
      expect([...new Set(counted.map(({ scenario }) => scenario))].sort()).toEqual(
        expectedScenarios[revision],
      )
      expect(counted.filter(({ status }) => !['SUCCESS', 'INFO', 'SKIPPED'].includes(status))).toEqual([])
      for (const scenario of expectedScenarios[revision]!) {
        const passed = counted.filter((check) => check.scenario === scenario && check.status === 'SUCCESS')
        expect([scenario, passed.length]).toEqual([scenario, expect.toSatisfy((count) => count > 0)])
      }
    },
  )

  test('every excluded scenario still exists and would not pass', () => {
    const failed = seen.filter(({ status }) => ['FAILURE', 'WARNING'].includes(status))
    expect(Object.keys(excludedChecks).filter((id) => !failed.some((check) => check.id === id))).toEqual([])
    const inSuite = new Set(seen.map(({ scenario }) => scenario))
    expect(Object.keys(excludedScenarios).filter((scenario) => !inSuite.has(scenario))).toEqual([])
  })
})
