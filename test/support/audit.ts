import { expect, vi } from 'vitest'
import type { AuditVerdict } from '../../src/contract/audit.ts'
import type { TestWorkspace } from './service.ts'
import { waitOptions } from './wait-options.ts'

export async function verifyAudit(workspace: TestWorkspace): Promise<AuditVerdict> {
  const { status, body } = await workspace.owner.get('/audit/verify')
  expect(status).toBe(200)
  return body
}

/** Waits until the job has chained every audit entry. */
export async function waitForAuditChain(workspace: TestWorkspace): Promise<AuditVerdict> {
  return await vi.waitFor(async () => {
    const verdict = await verifyAudit(workspace)
    // The head is read shortly before the rows are counted.
    expect(verdict.chained).toBe(verdict.rows)
    expect(verdict.head?.seq ?? 0).toBe(verdict.rows)
    return verdict
  }, waitOptions)
}
