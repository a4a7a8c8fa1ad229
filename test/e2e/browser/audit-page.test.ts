import { beforeAll, describe, expect, test } from 'vitest'
import { expectAccessibleAlsoOnPhones, expectAccessibleLayout } from '../../support/accessible-layout.ts'
import { waitForAuditChain } from '../../support/audit.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { taskPayload } from '../../support/service.ts'
import { query } from '../../support/sql.ts'

describe('the audit log is read and verified in the settings', () => {
  const { service, acme, visit } = setUpBrowserTests()
  beforeAll(async () => {
    const context = { data: { order: 'A-1042', amount: 40 } }
    const named = taskPayload({ context }, { name: 'Refund \u202e04€?' })
    const { taskId } = (await acme.agent.post('/tasks', named)).body
    await acme.owner.post(`/tasks/${taskId}/handle`, { actionId: 'approve' })
  })

  test('an intact chain is shown with its head, and a broken one as an alert', async () => {
    const { head } = await waitForAuditChain(acme)
    const { page } = await visit(`/w/${acme.workspaceId}/settings/audit`)
    // The direction mark in the task's name is shown as text and has no effect.
    const row = page.getByRole('listitem').filter({ hasText: 'answered a task' })
    await row.getByText('RLO').waitFor()
    expect(await row.innerText()).toMatch(
      /action approve, revision 1, context [0-9a-f]{8}…, actions [0-9a-f]{8}…/,
    )
    await page.getByRole('button', { name: 'Verify' }).click()
    const verdict = page.locator('.strip', { hasText: 'Verified' })
    await verdict.waitFor()
    expect(await verdict.innerText()).toContain(
      `Verified: ${head!.seq} entries, head ${head!.digest.slice(0, 12)}…`,
    )
    await expectAccessibleAlsoOnPhones(page)

    const forged = `UPDATE audit_log SET actor = 'service' WHERE workspace_id = $1 AND action = 'task.handled'`
    await query(service.databaseUrl, forged, [acme.workspaceId])
    await page.getByRole('button', { name: 'Verify' }).click()
    const alert = page.getByRole('alert')
    await alert.getByText(`The audit log is broken at entry ${head!.seq}.`).waitFor()
    await expectAccessibleLayout(page)
  })
})
