import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { expectAccessibleAlsoOnPhones, expectAccessibleStructure } from '../../support/accessible-layout.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { insertHandled } from '../../support/handled-tasks.ts'
import {
  createRule,
  insertAgreement,
  readRule,
  refundActions,
  sendRefund,
  waitForRule,
} from '../../support/refunds.ts'

const shop = { app: 'shop', type: 'refund', version: '1', actions: refundActions }

/** Refunds up to 70 are always approved, others mostly declined. */
const history = Array.from({ length: 400 }, (_, i) => {
  const amount = 5 + ((i * 7) % 100)
  const isApproved = amount <= 70 || i % 3 === 0
  return {
    ...shop,
    daysAgo: 40 * (1 - i / 400),
    context: { data: { amount, channel: i % 2 ? 'mail' : 'chat' } },
    actionId: isApproved ? 'approve' : 'decline',
  }
})

describe('the pages of standing rules', () => {
  const { service, acme, visit } = setUpBrowserTests({ freshWorkspace: true })

  async function open(path: string, cookie = acme.owner.cookie): Promise<Page> {
    return (await visit(`/w/${acme.workspaceId}/rules${path}`, { cookie })).page
  }

  test('an admin creates a rule from a suggestion, with what it would have done beside the form', async () => {
    await insertHandled(service.databaseUrl, acme.workspaceId, history)
    const page = await open('')
    const card = page.getByRole('region', { name: /amount/ }).first()
    await card.getByText('Suggested from your answers').waitFor()
    const name = await card.getByRole('heading').innerText()
    await expectAccessibleAlsoOnPhones(page)
    await card.getByRole('link', { name: 'Review and create' }).click()

    await expect.poll(() => page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe(name)
    await page.getByText('Would have answered').waitFor()
    const sentence = page.getByRole('region', { name: 'What the rule does' })
    await page.getByRole('radio', { name: /^1\sin\s10$/ }).check()
    await expect
      .poll(async () => (await sentence.innerText()).replaceAll('\u00a0', ' '))
      .toMatch(
        /^What the rule does\s+When shop sends a task of type refund where .*amount is at .* 1 in 10 goes to people/,
      )
    await page.getByRole('cell', { name: /, suddenly$/ }).waitFor()
    await expectAccessibleAlsoOnPhones(page)

    await page.getByRole('textbox', { name: 'Name' }).fill('By suggestion')
    await page.getByRole('button', { name: 'Create rule' }).click()
    await page.getByRole('heading', { level: 1, name: 'By suggestion' }).waitFor()
    const { rules } = (await acme.owner.get('/rules')).body
    expect(rules).toMatchObject([{ name: 'By suggestion', state: 'active', sample: 0.1, ...pairOf(shop) }])
    await page.getByRole('link', { name: 'Rules' }).last().click()
    await page.getByRole('row', { name: /By suggestion.*Active/ }).waitFor()
    // What is a rule now is not suggested again.
    await expect.poll(() => page.getByRole('heading', { name }).count()).toBe(0)
  })

  test('without rules, the page explains them; one from scratch says what is missing at its field, and sends what the form needs', async () => {
    const actions = [
      ...refundActions,
      {
        id: 'part',
        title: 'Approve in part',
        schema: {
          type: 'object',
          required: ['amount', 'why'],
          properties: {
            amount: { type: 'number', title: 'Amount' },
            why: { type: 'string', title: 'Why?' },
          },
        },
        ui: { amount: { 'ui:options': { prefill: 'amount' } } },
      },
    ]
    await insertAgreement(service, acme, { actions })
    const page = await open('')
    await page.getByRole('heading', { name: 'No rules yet' }).waitFor()
    await page.getByText('once people have answered 200 of its tasks within 90 days').waitFor()
    expect(await page.getByRole('button', { name: 'Pause all' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Create rule' }).click()
    const create = page.getByRole('button', { name: 'Create rule' })
    await create.click()
    await page.getByText('Enter a name.').waitFor()
    await page.getByText('Choose an app and type.').waitFor()
    await page.getByRole('textbox', { name: 'Name' }).fill('Partly')
    await page.getByRole('combobox', { name: 'App' }).selectOption('shop')
    await expect.poll(() => page.getByRole('combobox', { name: 'Type' }).inputValue()).toBe('refund')
    const condition = page.getByRole('group', { name: 'Condition 1' })
    await condition.getByLabel('Field of the context').fill('amount')
    await condition.getByLabel('Test').selectOption('is at most')
    await condition.getByLabel('Value').fill('many')
    await page.getByText('Enter a number.').waitFor()
    await condition.getByLabel('Value').fill('40')
    await page.getByRole('combobox', { name: 'Answer' }).selectOption('Approve in part')
    await page.getByText('the rule keeps what these fields of the form start with').waitFor()
    await create.click()
    await page.getByRole('button', { name: /^1 field needs your attention: Why/ }).waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    await expectAccessibleStructure(page)
    await page.getByLabel('Why?').fill('Only one item came back.')
    await create.click()
    await page.getByRole('heading', { level: 1, name: 'Partly' }).waitFor()
    const { rules } = (await acme.owner.get('/rules')).body
    expect(rules).toMatchObject([
      {
        when: [{ field: 'amount', is: 'atMost', value: 40 }],
        answer: { actionId: 'part', data: { why: 'Only one item came back.' } },
        sample: 0.1,
        allowedDisagreement: 0.02,
      },
    ])
    expect(rules[0].answer.data).not.toHaveProperty('amount')
    await page.getByRole('link', { name: 'Edit rule' }).click()
    await page.getByRole('button', { name: 'Save rule' }).waitFor()
  })

  describe('with a rule', () => {
    let ruleId: string
    beforeEach(async () => {
      await insertAgreement(service, acme)
      ruleId = (await createRule(acme.owner, { sample: 1 })).ruleId
    })

    const answer = async (actionId: string, data = {}) => {
      const { taskId } = await sendRefund(acme.agent)
      expect((await acme.owner.post(`/tasks/${taskId}/handle`, { actionId, data })).status).toBe(200)
      return taskId as string
    }

    test('an admin pauses it with one press, resumes and extends it in dialogs, pauses all from the palette, and ends it', async () => {
      const page = await open(`/${ruleId}`)
      await page.getByRole('button', { name: 'Pause' }).press('Enter')
      await page.getByText(/^Paused by you on .* Its tasks go to people; no task is lost\.$/).waitFor()
      expect(await readRule(acme.owner, ruleId)).toMatchObject({ state: 'paused', pausedBecause: 'person' })

      await page.getByRole('button', { name: 'Resume…' }).click()
      const resume = page.getByRole('dialog', { name: 'Resume Small refunds?' })
      await resume.getByText('Its evidence is reset').waitFor()
      expect(await resume.getByRole('textbox').count()).toBe(0)
      await resume.getByRole('button', { name: 'Resume rule' }).click()
      await page.getByRole('button', { name: 'Pause' }).waitFor()

      const { until } = await readRule(acme.owner, ruleId)
      await page.getByRole('button', { name: 'Extend…' }).click()
      const extend = page.getByRole('dialog', { name: 'Extend Small refunds' })
      await expectAccessibleStructure(page)
      await extend.getByRole('button', { name: 'Extend rule' }).click()
      await extend.waitFor({ state: 'detached' })
      const extended = (await readRule(acme.owner, ruleId)).until
      expect(Date.parse(extended) - Date.parse(until)).toBeGreaterThan(50 * 86_400_000)

      await page.keyboard.press('ControlOrMeta+k')
      await page.getByRole('combobox', { name: 'Search tasks and commands' }).fill('pause all')
      await page.getByRole('option', { name: 'Pause all rules' }).waitFor()
      await page.keyboard.press('Enter')
      const all = page.getByRole('dialog', { name: 'Pause all rules?' })
      await expectAccessibleStructure(page)
      await all.getByRole('button', { name: 'Cancel' }).click()
      expect(await readRule(acme.owner, ruleId)).toMatchObject({ state: 'active' })
      await page.getByRole('button', { name: 'Pause all' }).click()
      await all.getByRole('button', { name: 'Pause all rules' }).click()
      await page.getByRole('row', { name: /Small refunds.*Paused/ }).waitFor()
      await expect.poll(() => page.getByRole('button', { name: 'Pause all' }).count()).toBe(0)
      expect(await readRule(acme.owner, ruleId)).toMatchObject({ state: 'paused' })

      await page.getByRole('link', { name: 'Small refunds' }).click()
      await page.getByRole('button', { name: 'End rule…' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'End rule' }).click()
      await page.getByText('Ended', { exact: true }).waitFor()
      await expect.poll(() => page.getByRole('main').getByRole('button').count()).toBe(0)
      await page.getByText('You ended it', { exact: true }).waitFor()
    })

    test('a rule that paused itself says why, and shows each disagreement beside its own answer', async () => {
      for (let n = 0; n < 3; n++) await answer('approve')
      const declined: string[] = []
      for (let n = 0; n < 3; n++)
        declined.push(await answer('decline', { why: 'Only one of two items came back.' }))
      await waitForRule(acme.owner, ruleId, { state: 'paused', pausedBecause: 'disagreement' })
      const page = await open(`/${ruleId}`)
      await page
        .getByText(/^Paused itself on .* People disagreed with \d samples of \d, more often than/)
        .waitFor()
      await page.getByRole('heading', { name: 'Why it paused' }).waitFor()
      await page.getByRole('img', { name: /^Agreement after samples 1 to \d,/ }).waitFor()
      await page.getByText('Paused itself: too many disagreements').waitFor()
      const first = page.getByRole('article').first()
      await first.getByRole('heading', { name: 'The rule would have answered' }).waitFor()
      await first
        .getByRole('heading', { name: /answered$/ })
        .last()
        .waitFor()
      await first.getByText('Approve', { exact: true }).waitFor()
      await first.getByText('Decline', { exact: true }).waitFor()
      await first.getByText('Only one of two items came back.').waitFor()
      await expectAccessibleAlsoOnPhones(page)
      const links = page.getByRole('link', { name: 'Open task' })
      const addresses = await links.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).href))
      const path = `${service.url}/w/${acme.workspaceId}/handled/`
      expect(addresses).toEqual(declined.toReversed().map((taskId) => path + taskId))
    })

    test('a member sees in Handled and in the task that it answered, but nothing to change rules with', async () => {
      await insertHandled(service.databaseUrl, acme.workspaceId, [{ ...shop, decidedBy: 'rule', ruleId }])
      const mara = await acme.person()
      const { page } = await visit(`/w/${acme.workspaceId}/handled?rule=${ruleId}`, { cookie: mara.cookie })
      await page.getByRole('option', { name: /Approve · Rule: Small refunds · shop/ }).click()
      await page
        .getByRole('complementary', { name: 'Answer' })
        .getByRole('link', { name: 'Small refunds' })
        .click()
      await page.getByRole('heading', { level: 1, name: 'Small refunds' }).waitFor()
      await page.getByRole('heading', { name: 'Evidence against the rule' }).waitFor()
      expect(await page.getByRole('main').getByRole('button').count()).toBe(0)
      expect(await page.getByRole('link', { name: 'Edit rule' }).count()).toBe(0)
      await page.keyboard.press('ControlOrMeta+k')
      const option = page.getByRole('option', { name: 'Rules' })
      await option.waitFor()
      expect(await page.getByRole('option', { name: 'Pause all rules' }).count()).toBe(0)
      await option.click()
      await page.getByText('Only admins and owners can create and change rules.').waitFor()
      await page.getByRole('link', { name: 'Small refunds' }).waitFor()
      expect(await page.getByRole('main').getByRole('button').count()).toBe(0)
      expect(await page.getByRole('link', { name: 'Create rule' }).count()).toBe(0)
    })
  })
})

const pairOf = ({ app, type }: typeof shop) => ({ app, type })
