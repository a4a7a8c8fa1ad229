import { beforeAll, describe, expect, test } from 'vitest'
import { expectAccessibleAlsoOnPhones, expectAccessibleLayout } from '../../support/accessible-layout.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { type TestWorkspace, taskPayload } from '../../support/service.ts'

type Person = Awaited<ReturnType<TestWorkspace['person']>>

describe('groups and policies are managed in the settings', () => {
  const { acme, visit } = setUpBrowserTests()
  let ana: Person
  let ben: Person
  beforeAll(async () => {
    ana = await acme.person('member', 'Ana')
    ben = await acme.person('member', 'Ben')
  })
  const open = (name: 'groups' | 'policies') => visit(`/w/${acme.workspaceId}/settings/${name}`)

  test('an admin creates a group with the keyboard, and deletes it', async () => {
    const { page } = await open('groups')
    await page.getByText('No groups yet.').waitFor()
    await page.getByRole('button', { name: 'Create group' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Create group' })
    await dialog.getByLabel('Ana').waitFor()
    await page.keyboard.type('Équipe Finance')
    expect(await dialog.getByLabel('Slug').inputValue()).toBe('equipe-finance')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('finance')
    await dialog.getByText('group:finance').waitFor()
    await dialog.getByLabel('Ana').focus()
    await page.keyboard.press('Space')
    await expectAccessibleLayout(page)
    await page.keyboard.press('Enter')
    const row = page.getByRole('list', { name: 'Groups' }).getByRole('listitem')
    await row.getByText('Ana', { exact: true }).waitFor()
    await row.getByRole('button', { name: 'Copy group:finance' }).waitFor()

    const { groups } = (await acme.owner.get('/groups')).body
    expect(groups).toMatchObject([{ slug: 'finance', name: 'Équipe Finance', members: [ana.email] }])

    await row.getByRole('button', { name: 'Delete Équipe Finance' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete group' }).click()
    await page.getByText('No groups yet.').waitFor()
    expect((await acme.owner.get('/groups')).body.groups).toEqual([])
  })

  test('an admin creates a policy with the keyboard, and its settings stay as they are until it is deleted', async () => {
    await acme.owner.post('/groups', { slug: 'treasury', name: 'Treasury', members: [ana.email, ben.email] })
    await acme.agent.post('/tasks', taskPayload({ app: 'bank' }, { type: 'chargeback' }))
    const { page } = await open('policies')
    await page.getByRole('button', { name: 'Create policy' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Create policy' })
    await dialog.locator('datalist option[value=chargeback]').waitFor({ state: 'attached' })
    // The first field has the focus.
    await page.keyboard.type('bank')
    await page.keyboard.press('Tab')
    await page.keyboard.type('chargeback')
    await dialog.getByLabel('Reviewers').selectOption('Only these groups and members')
    // Nobody is selected yet, so Enter does not create the policy.
    await dialog.getByLabel('Type').press('Enter')
    await dialog.getByText('Select at least one group or member.').waitFor()
    await dialog.getByLabel('Treasury').check()
    await dialog.getByLabel('Answers needed').selectOption('2 people')
    await dialog.getByLabel('Assignee').selectOption('Ana')
    await dialog.getByLabel('Answer within (minutes)').fill('20')
    await dialog.getByLabel('Remind after (minutes)').fill('90')
    await dialog.getByRole('button', { name: 'Add a step' }).click()
    const step = dialog.getByRole('group', { name: 'Step 1' })
    await step.getByLabel('After (minutes)').fill('120')
    await step.getByLabel('Hand the task to').selectOption('Treasury')
    await step.getByLabel('Raise the priority by one level').check()
    const { height } = (await step.getByText('Raise the priority by one level').boundingBox())!
    expect(height).toBeLessThan(30) // one line
    const summary = dialog.getByRole('region', { name: 'Summary of the policy' })
    await summary.getByText('Only 2 people can answer, so one absence blocks a task').waitFor()
    await summary.getByText('this policy would have applied to 1 task.').waitFor()
    await expectAccessibleAlsoOnPhones(page)
    await dialog.getByRole('button', { name: 'Create policy' }).click()

    const row = page.getByRole('listitem').filter({ hasText: 'Tasks of app bank and type chargeback' })
    const says =
      'Tasks are assigned to Ana. Tasks are late after 20 minutes. A reminder follows after 90 minutes. After 2 hours the task goes to Treasury, who may then answer too, and its priority rises.'
    await row.getByText(says).waitFor()
    const { policies } = (await acme.owner.get('/policies')).body
    expect(policies).toMatchObject([
      {
        by: ['group:treasury'],
        needed: 2,
        assignTo: ana.email,
        answerWithinMinutes: 20,
        remindAfterMinutes: 90,
        escalate: [{ afterMinutes: 120, to: 'group:treasury', raisePriority: true }],
      },
    ])
    await page.setViewportSize({ width: 390, height: 844 })
    await expectAccessibleLayout(page)
    await row.getByRole('button', { name: /^Edit the policy/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save policy' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' }) // a dialog hides the rows from roles
    expect((await acme.owner.get('/policies')).body.policies).toEqual(policies)

    await row.getByRole('button', { name: /^Delete the policy/ }).click()
    await page.getByRole('dialog').getByText('Open tasks keep their review.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete policy' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await row.waitFor({ state: 'detached' })
    expect((await acme.owner.get('/policies')).body.policies).toEqual([])
  })
})
