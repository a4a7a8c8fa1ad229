import { describe, expect, test } from 'vitest'
import { markDone, taskNames } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { asOwner } from '../../support/rows.ts'

// The list is loaded in 13 pages. From the eleventh on, the rows of the first ones are dropped.
const openTasks = 1_300

describe('an inbox of more than a thousand tasks', () => {
  const { service, acme, blankTab } = setUpBrowserTests({ freshWorkspace: true })

  async function countByApi(): Promise<number> {
    let count = 0
    let cursor = ''
    do {
      const { body } = await acme.owner.get(`/inbox?limit=200${cursor && `&cursor=${cursor}`}`)
      count += body.rows.length
      cursor = body.nextCursor ?? ''
    } while (cursor)
    return count
  }

  test('can be scrolled to its end and back with few rows rendered and none missing, filtered, and answered by keyboard', async () => {
    await asOwner(service.databaseUrl, (client) => client.query(insertOpenTasks(acme.workspaceId)))
    expect(await countByApi()).toBe(openTasks)
    const { page, go } = await blankTab()
    let reloadedPages = 0
    page.on('request', (request) => {
      if (request.url().includes('/inbox?limit=200')) reloadedPages++
    })
    const countIs = (words: string) => page.getByText(words, { exact: true }).waitFor()
    const taskIs = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    await go(`/w/${acme.workspaceId}/inbox`)
    await countIs('1,000+ open')
    const top = await taskNames(page)

    const last = page.getByRole('option').last()
    const reached = async () => {
      await page.getByRole('listbox').evaluate((list) => list.scrollTo({ top: list.scrollHeight }))
      return Number(await last.getAttribute('aria-posinset'))
    }
    await expect.poll(reached, { timeout: 120_000 }).toBe(openTasks)
    expect(await page.getByRole('option').count()).toBeLessThan(60)

    // The rows of the first pages were dropped and have to be loaded again.
    await page.getByRole('listbox').evaluate((list) => list.scrollTo({ top: 0 }))
    await expect.poll(() => taskNames(page)).toEqual(top)
    expect(reloadedPages).toBeGreaterThan(0)
    await page.keyboard.press('j')
    await taskIs(top[0]!)
    for (let n = 1; n <= 3; n++) await page.keyboard.press('j')
    await taskIs(top[3]!)
    await markDone(page)
    await taskIs(top[4]!)

    await page.keyboard.press('f')
    await page.getByRole('menuitemradio', { name: 'rare' }).press('Enter')
    await countIs('2 matching')
    await expect.poll(() => taskNames(page)).toEqual(['Task 600', 'Task 1200'])
    await page.keyboard.press('j')
    await taskIs('Task 600')
    await markDone(page)
    await taskIs('Task 1200')
    await markDone(page)
    await page.getByRole('heading', { name: 'No matching open tasks' }).waitFor()
    // The page shows the next task before the service has the answer.
    const handled = async () => {
      const { body } = await acme.owner.get('/tasks?status=handled&sort=handledAt')
      return body.tasks.map(({ name }: { name: string }) => name)
    }
    await expect.poll(handled).toEqual(['Task 1200', 'Task 600', top[3]])
  })
})

/** Open tasks of all priorities in threads of seven, one second apart, two of them of a rare app. */
function insertOpenTasks(workspaceId: string): string {
  return `BEGIN;
    CREATE TEMP TABLE made ON COMMIT DROP AS
      SELECT n, 'tsk_' || substr(md5('${workspaceId}' || n), 1, 26) AS id, 'thread ' || n / 7 AS thread,
        n % 4 AS priority, app_now() - make_interval(secs => ${openTasks} - n) AS at
      FROM generate_series(1, ${openTasks}) n;
    INSERT INTO threads (workspace_id, id, open_count, rank, oldest_open_at)
      SELECT '${workspaceId}', thread, count(*), min(priority), min(at) FROM made GROUP BY thread;
    INSERT INTO tasks (id, workspace_id, thread_id, app, type, name, description, priority, delivery, created_by, created_at)
      SELECT id, '${workspaceId}', thread, CASE WHEN n IN (600, 1200) THEN 'rare' ELSE 'common' END, 'question',
        'Task ' || n, 'One of many', priority, 'poll', 'key_00000000000000000000000000', at FROM made;
    INSERT INTO task_contents (task_id, workspace_id, actions)
      SELECT id, '${workspaceId}', '[{"id":"approve","title":"Approve"}]' FROM made;
    COMMIT`
}
