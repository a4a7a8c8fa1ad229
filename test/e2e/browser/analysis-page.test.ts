import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { AnalysisFinding, AnalysisResult } from '../../../src/contract/feedback-analysis.ts'
import {
  expectAccessibleAlsoOnPhones,
  expectAccessibleLayout,
  expectAccessibleStructure,
} from '../../support/accessible-layout.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { type HandledTask, insertHandled } from '../../support/handled-tasks.ts'
import { query } from '../../support/sql.ts'

const reviewers = ['ana', 'ben', 'cai', 'dee'].map((name) => `${name}@example.com`)

/** Tasks that came by chat are rejected more often, and one reviewer rejects much more than the others. */
const history = (strict: string): HandledTask[] =>
  Array.from({ length: 200 }, (_, i) => {
    const reviewer = reviewers[i % 5] ?? strict
    const channel = i % 4 === 0 ? 'chat' : 'mail'
    const isNegative = i % 100 < 100 * (reviewer === strict ? 0.8 : channel === 'chat' ? 0.6 : 0)
    return {
      app: 'shop',
      daysAgo: 1 + (i % 28),
      handledBy: reviewer,
      actionId: isNegative ? 'reject' : 'approve',
      data: isNegative ? { reason: 'The parcel label is unreadable, see https://evil.example/label' } : {},
      context: { data: { channel } },
    }
  })
const pair = 'app=shop&type=refund-approval'

const finding: AnalysisFinding = {
  kind: 'field',
  title: 'Tasks with “34” in “context.day” get more negative answers',
  evidence: 'Negative: 60 % of 118, against 10 % of the other tasks.',
  advice: 'Find out what the agent does differently for them.',
  gain: 60,
  forMembersOnly: false,
  quotes: [],
  taskCount: 3,
  taskIds: [],
  taskPairs: [],
}

const basis = { trait: { field: 'context.day', value: '34' }, count: 71, n: 118, answers: 1284 }

/** What a run of few answers cannot contain. */
function resultWith(taskIds: string[]): AnalysisResult {
  const [first, second, third] = taskIds as [string, string, string]
  const pairOf = (negative: string, name: string) => ({
    negative: { taskId: negative, name },
    positive: { taskId: third, name: 'Refund €179.00' },
    differences: [
      { field: 'context.day', negative: '34', positive: '28' },
      { field: 'context.voucher', negative: null, positive: 'yes' },
    ],
  })
  return {
    verdict: 'Not healthy: 31 of the newest 200 answers are negative.',
    explanation: 'Whether the release is to blame cannot be told from these answers.',
    counts: { answered: 1284, timedOut: 22, expired: 9 },
    findings: [
      { ...finding, taskIds, taskPairs: [pairOf(first, 'Refund €184.50'), pairOf(second, 'Refund €12.00')] },
    ],
    inconclusive: [
      {
        title: 'The version and the reviewers',
        text: 'Different people answered the versions, so a difference may come from them.',
        remedies: ['double-review', 'both-versions', 'blind'],
      },
    ],
    earlierAdvice: [
      {
        givenAt: '2026-10-31T00:00:00.000Z',
        kind: 'field',
        basis,
        title: 'Name the day the parcel arrived',
        advice: 'Name it.',
        version: '1.0',
        nextVersion: '1.1',
        predicted: -35,
        seen: { change: -29, low: -42, high: -16 },
        result: 'worked',
      },
      {
        givenAt: '2026-10-02T00:00:00.000Z',
        kind: 'field',
        basis,
        title: 'Attach the scan of the carrier',
        advice: 'Attach it.',
        version: '1.0',
        predicted: -22,
        result: 'not-tried',
      },
    ],
    actions: [],
  }
}

describe('the page of a feedback analysis', () => {
  const { service, acme, visit } = setUpBrowserTests()
  // Only members are named.
  let strict: string
  beforeAll(async () => {
    strict = (await acme.person()).email
    await insertHandled(service.databaseUrl, acme.workspaceId, history(strict))
  })

  async function open(search: string): Promise<Page> {
    const { page } = await visit(`/w/${acme.workspaceId}/statistics/analysis?${search}`)
    await page.getByRole('heading', { name: 'Feedback analysis', level: 1 }).waitFor()
    return page
  }

  let inserted = 1
  /** A completed run of an app, with this result. */
  async function insertRun(app: string, result?: AnalysisResult): Promise<void> {
    const id = `anl_${String(inserted++).padStart(26, '0')}`
    await query(
      service.databaseUrl,
      `INSERT INTO analyses (id, workspace_id, app, type, status, started_by, period_start, period_end, ended_at, task_count,
         is_healthy, summary, recommendation, agent_instructions, result)
       VALUES ($4, $1, $2, 'refund', 'completed', 'nobody', now() - interval '30 days', now(), now(), 1284,
         false, '**Too many** refunds.', 'Refund less.', 'Change the agent.', $3)`,
      [acme.workspaceId, app, result ? JSON.stringify(result) : null, id],
    )
  }

  test('a run that is started from Statistics opens with its verdict, instructions to copy, and findings', async () => {
    const { page } = await visit(`/w/${acme.workspaceId}/statistics?${pair}`)
    const aside = page.getByRole('complementary', { name: 'Feedback analysis' })
    await aside.getByText('No analysis yet').waitFor()
    await aside.getByRole('button', { name: 'Analyze feedback' }).click()
    await aside.getByText('Not healthy', { exact: true }).waitFor()
    await aside.getByText(/^Not healthy: /).waitFor()
    await expectAccessibleStructure(page)
    await aside.getByRole('link', { name: 'Open analysis' }).click()

    const verdict = page.getByRole('region', { name: 'Verdict' })
    await verdict.getByRole('heading', { name: /^Not healthy: / }).waitFor()
    await verdict.getByText('200 tasks were answered by people.').waitFor()
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    // The confirmation is shown for two seconds.
    await Promise.all([
      verdict.getByRole('button', { name: 'Copied' }).waitFor(),
      verdict.getByRole('button', { name: 'Copy agent instructions' }).click(),
    ])
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    await verdict.getByRole('button', { name: 'Show instructions' }).click()
    const instructions = verdict.getByRole('group', { name: 'Agent instructions' })
    expect((await instructions.innerText()).trim()).toBe(copied.trim())
    expect(copied).toContain('BEGIN DATA')
    expect(copied).not.toContain(strict)

    const chat = page.getByRole('article', { name: /“chat”/ })
    await chat.getByText(/^About \d+ fewer negative answers per 30 days$/).waitFor()
    const bars = chat.getByRole('figure').getByRole('listitem')
    expect((await bars.first().innerText()).replaceAll('\u00a0', ' ')).toMatch(
      /^chat\s+\d+\.\d %\s*, \d+ of 50, 95 % interval \d+–\d+ %$/,
    )
    const tasks = chat.getByRole('button', { name: /^(All|[\d,]+ of) .* tasks$/ })
    expect(await tasks.getAttribute('aria-expanded')).toBe('false')
    await tasks.press('Enter')
    const links = chat.getByRole('list', { name: /^Tasks:/ }).getByRole('link')
    await expect.poll(() => links.count()).toBeGreaterThan(25)

    const reviewer = page.getByRole('article', { name: new RegExp(strict) })
    await reviewer.getByText("Only members see this. It isn't in the agent instructions.").waitFor()
    expect(await chat.getByText('Only members see this.').count()).toBe(0)

    await page.getByRole('button', { name: 'Full text' }).click()
    await page.getByRole('heading', { name: 'Recommendations' }).waitFor()
    await page.getByRole('link', { name: 'task', exact: true }).last().waitFor()
    const addresses = await page
      .locator('main a')
      .evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href))
    expect(addresses.filter((address) => !address.startsWith(service.url))).toEqual([])
    await expectAccessibleLayout(page)
    expect(await links.first().getAttribute('href')).toMatch(/\/handled\/tsk_/)
  })

  test('pairs mark what differs; what would tell causes apart can be chosen; earlier advice is a table', async () => {
    const task = { app: 'pairs', type: 'refund' }
    const taskIds = await insertHandled(service.databaseUrl, acme.workspaceId, [task, task, task])
    await insertRun('pairs', resultWith(taskIds))
    // Without an app and type, the page lists those to choose from.
    const page = await open('')
    await page.getByRole('link', { name: 'pairs / refund' }).click()
    const card = page.getByRole('article')
    await card.getByRole('link', { name: 'Refund €184.50' }).waitFor()
    expect(await page.getByRole('combobox', { name: 'App' }).inputValue()).toBe('pairs')
    expect(await card.locator('mark').allInnerTexts()).toEqual(['34', 'not set', '28', 'yes'])
    const [cases] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download test cases' }).click(),
    ])
    const lines = (await readFile(await cases.path(), 'utf8')).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).negative.taskId)).toEqual(taskIds.slice(0, 2))
    await card.getByRole('button', { name: 'Compare 1 more pair' }).click()
    await card.getByRole('link', { name: 'Refund €12.00' }).waitFor()

    await page.getByRole('switch', { name: /^Send 5\s% of tasks to two people$/ }).check()
    await expect
      .poll(async () => (await acme.owner.get('/policies')).body.policies)
      .toMatchObject([{ ...task, doubleReviewShare: 0.05 }])
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: /Randomize the order/ }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('"blind": true')

    const ledger = page.getByRole('region', { name: 'What became of earlier advice' })
    await ledger.getByText('Of 2 pieces of advice, 1 worked and 1 was not tried.').waitFor()
    await ledger.getByRole('img', { name: 'Seen −29, 95 % interval −42 to −16, predicted −35' }).waitFor()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      ledger.getByRole('button', { name: /CSV/ }).click(),
    ])
    expect(file.suggestedFilename()).toBe('earlier-advice.csv')
    expect(await readFile(await file.path(), 'utf8')).toContain(
      'Name the day the parcel arrived,Name it.,1.0,1.1,-35,-29,-42,-16,Worked',
    )
    await expectAccessibleAlsoOnPhones(page)
    const back = page.getByRole('link', { name: 'Statistics' }).last()
    expect(await back.getAttribute('href')).toMatch(/\/statistics\?app=pairs&type=refund$/)
  })

  test('the page offers the first run, shows the progress of one, which can be cancelled, and lists earlier ones', async () => {
    const page = await open('app=old&type=refund')
    await page.getByRole('heading', { name: 'No analysis yet' }).waitFor()
    await expectAccessibleStructure(page)
    await page.getByRole('button', { name: 'Analyze feedback' }).click()
    await page.getByText('Too few answers').first().waitFor()
    await page.getByRole('heading', { name: /^Too few to judge/ }).waitFor()

    const { analysisId: first } = (await acme.owner.get('/feedback-analyses?app=old&type=refund')).body
      .analyses[0]
    // Of an earlier release, which stored only texts.
    await insertRun('old')
    // Leased by a worker that does not exist, so that it makes no progress.
    await query(
      service.databaseUrl,
      `INSERT INTO analyses (id, workspace_id, app, type, status, started_by, period_start, period_end, leased_by, leased_until,
         tasks_read, tasks_to_read)
       VALUES ('anl_' || repeat('9', 26), $1, 'old', 'refund', 'running', 'nobody', now() - interval '30 days', now(), 'nobody',
         now() + interval '1 hour', 2, 5)`,
      [acme.workspaceId],
    )
    await page.reload()
    await page.getByText('Reading answers: 2 of 5.').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('The analysis was cancelled before it finished.').waitFor()
    const again = page.getByRole('button', { name: 'Analyze again' })
    await expect.poll(() => again.evaluate((button) => button === document.activeElement)).toBe(true)
    // The result of the last completed run stays visible.
    await page.getByText('Too many', { exact: true }).waitFor()
    await page.getByRole('heading', { name: 'Recommendations' }).waitFor()
    await page.getByRole('button', { name: 'Copy agent instructions' }).waitFor()

    await page.getByRole('button', { name: 'Earlier runs' }).press('Enter')
    await page.getByRole('menuitemradio', { name: /^Not healthy, 1,284 answers/, checked: true }).waitFor()
    await page.getByRole('menuitemradio', { name: /^Too few answers, 0 answers/ }).press('Enter')
    await page.getByRole('heading', { name: /^Too few to judge/ }).waitFor()
    expect(new URL(page.url()).searchParams.get('run')).toBe(first)
  })
})
