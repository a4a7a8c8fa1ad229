import { describe, expect, test } from 'vitest'
import { dropIndexes } from '../../../bench/large-data/fill.ts'
import { markDone, taskNames } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { asOwner } from '../../support/rows.ts'

// A long transaction would hold back the events of all other tests on the same PostgreSQL.
const tasksPerTransaction = 10_000

describe('an inbox of thousands of tasks', () => {
  const {
    service,
    acme: large,
    blankTab,
    visit,
  } = setUpBrowserTests({
    freshWorkspace: true,
    ownService: true,
  })

  async function fillWorkspace(openTasks: number, perThread: number) {
    await asOwner(service.databaseUrl, async (client) => {
      const createIndexes = await dropIndexes(client, ['tasks', 'threads'])
      for (let first = 1; first <= openTasks; first += tasksPerTransaction) {
        const last = Math.min(first + tasksPerTransaction - 1, openTasks)
        const insert = insertOpenTasks(large.workspaceId, { first, last, openTasks, perThread })
        await client.query(`BEGIN; ${insert}; COMMIT`)
      }
      await createIndexes()
      await client.query('ANALYZE tasks, threads')
    })
  }

  async function countByApi(): Promise<number> {
    let count = 0
    let cursor = ''
    do {
      const { body } = await large.owner.get(`/inbox?limit=200${cursor && `&cursor=${cursor}`}`)
      count += body.rows.length
      cursor = body.nextCursor ?? ''
    } while (cursor)
    return count
  }

  test('can be scrolled to its end and back with few rows rendered and none missing', async () => {
    await fillWorkspace(2_500, 7)
    const count = await countByApi()
    expect(count).toBe(2_500)
    const { page, go } = await blankTab()
    let reloadedPages = 0
    page.on('request', (request) => {
      if (request.url().includes('/inbox?limit=200')) reloadedPages++
    })
    await go(`/w/${large.workspaceId}/inbox`)
    await page.getByRole('option').first().waitFor()
    const top = await taskNames(page)

    const last = page.getByRole('option').last()
    const reached = async () => {
      await page.getByRole('listbox').evaluate((list) => list.scrollTo({ top: list.scrollHeight }))
      return Number(await last.getAttribute('aria-posinset'))
    }
    await expect.poll(reached, { timeout: 120_000 }).toBe(count)
    expect(await page.getByRole('option').count()).toBeLessThan(60)

    // The rows of the first pages were dropped and have to be loaded again.
    await page.getByRole('listbox').evaluate((list) => list.scrollTo({ top: 0 }))
    await expect.poll(() => taskNames(page)).toEqual(top)
    expect(reloadedPages).toBeGreaterThan(0)
    await page.keyboard.press('j')
    await page.getByRole('heading', { level: 1, name: top[0]! }).waitFor()
  })

  test('can be filtered and answered by keyboard at 100,000 open tasks', async () => {
    await fillWorkspace(100_000, 1)
    const { page } = await visit(`/w/${large.workspaceId}/inbox`)
    const countIs = (words: string) => page.getByText(words, { exact: true }).waitFor()
    const taskIs = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    await page.getByRole('option').first().waitFor()
    await countIs('1,000+ open')
    expect(await page.getByRole('option').count()).toBeLessThan(60)
    await page.keyboard.press('j')
    await taskIs('Task 1')
    for (let n = 2; n <= 12; n++) await page.keyboard.press('j')
    await taskIs('Task 12')
    await markDone(page)
    await taskIs('Task 13')

    await page.keyboard.press('f')
    await page.getByRole('menuitemradio', { name: 'rare' }).press('Enter')
    await countIs('3 matching')
    await expect.poll(() => page.getByRole('option').count()).toBe(3)
    await page.keyboard.press('j')
    await taskIs('Task 20000')
    for (const next of ['Task 50000', 'Task 80000']) {
      await markDone(page)
      await taskIs(next)
    }
    await markDone(page)
    await page.getByRole('heading', { name: 'No matching open tasks' }).waitFor()
    // The page shows the next task before the service has the answer.
    const handled = async () => {
      const { body } = await large.owner.get('/tasks?status=handled&sort=handledAt')
      return body.tasks.map(({ name }: { name: string }) => name)
    }
    await expect.poll(handled).toEqual(['Task 80000', 'Task 50000', 'Task 20000', 'Task 12'])
  }, 480_000)
})

type TaskRange = { first: number; last: number; openTasks: number; perThread: number }

/**
 * Open tasks, one second apart, three of them of a rare app. Where several share a thread, they
 * have all priorities.
 */
function insertOpenTasks(workspaceId: string, { first, last, openTasks, perThread }: TaskRange): string {
  return `
    CREATE TEMP TABLE made ON COMMIT DROP AS
      SELECT n, 'tsk_${perThread}' || lpad(n::text, 25, '0') AS id, 'thread ' || n / ${perThread} AS thread,
        CASE ${perThread} WHEN 1 THEN 2 ELSE n % 4 END AS priority,
        app_now() - make_interval(secs => ${openTasks} - n) AS at
      FROM generate_series(${first}, ${last}) n;
    INSERT INTO threads (workspace_id, id, open_count, rank, oldest_open_at)
      SELECT '${workspaceId}', thread, count(*), min(priority), min(at) FROM made GROUP BY thread;
    INSERT INTO tasks (id, workspace_id, thread_id, app, type, name, description, priority, delivery, created_by, created_at)
      SELECT id, '${workspaceId}', thread, CASE WHEN n IN (20000, 50000, 80000) THEN 'rare' ELSE 'common' END, 'question',
        'Task ' || n, 'One of many', priority, 'poll', 'key_00000000000000000000000000', at FROM made;
    INSERT INTO task_contents (task_id, workspace_id, actions)
      SELECT id, '${workspaceId}', '[{"id":"approve","title":"Approve"}]' FROM made`
}
