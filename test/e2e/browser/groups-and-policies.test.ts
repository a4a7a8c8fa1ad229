import { beforeAll, describe, expect, test } from 'vitest'
import { expectAccessibleLayout } from '../../support/accessible-layout.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { type TestWorkspace, taskPayload } from '../../support/service.ts'

type Person = Awaited<ReturnType<TestWorkspace['person']>>

describe('groups and policies are managed in the settings', () => {
  const { acme, blankTab, visit, allowProblems } = setUpBrowserTests()
  let ana: Person
  let ben: Person
  beforeAll(async () => {
    ana = await acme.person('member', 'Ana')
    ben = await acme.person('member', 'Ben')
  })
  const open = (name: 'groups' | 'policies', visitor = {}) =>
    visit(`/w/${acme.workspaceId}/settings/${name}`, visitor)

  test('an admin creates a group with the keyboard, changes it and deletes it', async () => {
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

    await row.getByRole('button', { name: 'Edit Équipe Finance' }).click()
    const change = page.getByRole('dialog', { name: 'Edit Équipe Finance' })
    await change.getByRole('textbox', { name: 'Name' }).fill('Finance')
    await change.getByLabel('Ben').check()
    await change.getByRole('button', { name: 'Save group' }).click()
    await row.getByText('Ana, Ben').waitFor()
    const [group] = (await acme.owner.get('/groups')).body.groups
    expect(group).toMatchObject({ slug: 'finance', name: 'Finance' })
    expect(group.members.toSorted()).toEqual([ana.email, ben.email].toSorted())

    await row.getByRole('button', { name: 'Delete Finance' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete group' }).click()
    await page.getByText('No groups yet.').waitFor()
    expect((await acme.owner.get('/groups')).body.groups).toEqual([])
  })

  test('saving a group keeps what another admin has changed meanwhile', async () => {
    const { body: group } = await acme.owner.post('/groups', { slug: 'night', name: 'Night', members: [] })
    const { page } = await open('groups')
    const button = page.getByRole('button', { name: 'Edit Night' })
    await button.waitFor()
    const saveMembers = (...members: string[]) => acme.owner.patch(`/groups/${group.groupId}`, { members })
    await saveMembers(ana.email)
    await button.click()
    const dialog = page.getByRole('dialog', { name: 'Edit Night' })
    await dialog.getByRole('checkbox', { name: 'Ana', checked: true }).waitFor()
    await saveMembers(ana.email, ben.email)
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Night shift')
    await dialog.getByRole('button', { name: 'Save group' }).click()
    await page.getByRole('listitem').filter({ hasText: 'Night shift' }).getByText('Ana, Ben').waitFor()
    await acme.owner.delete(`/groups/${group.groupId}`)
  })

  test('a group that a policy uses is kept, and the dialog names the policy', async () => {
    await acme.owner.post('/groups', { slug: 'legal', name: 'Legal', members: [ana.email] })
    await acme.owner.post('/policies', { app: 'bank', type: 'contract', by: ['group:legal'] })
    const tab = await open('groups')
    // The browser reports the 409 response.
    allowProblems(tab)
    await tab.page.getByRole('button', { name: 'Delete Legal' }).click()
    const dialog = tab.page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Delete group' }).click()
    await dialog.getByText('The policy bank / contract uses this group.').waitFor()
    const slugs = (await acme.owner.get('/groups')).body.groups.map(({ slug }: { slug: string }) => slug)
    expect(slugs).toContain('legal')
  })

  test('a member sees the groups, and whom to ask for a change', async () => {
    await acme.owner.post('/groups', { slug: 'empty', name: 'Nobody yet' })
    await acme.owner.post('/groups', { slug: 'abandoned', name: 'Nobody left' })
    await acme.owner.post('/policies', { type: 'vacant', by: ['group:abandoned', ana.email] })
    const { page } = await open('groups', { cookie: ben.cookie, width: 390, height: 844 })
    await page.getByText('Only admins and owners can create and change groups. Ask Olga Owner.').waitFor()
    const row = (name: string) => page.getByRole('listitem').filter({ hasText: name })
    await row('Nobody yet').getByText('No members.').waitFor()
    await row('Nobody left').getByText('No members, but a policy uses this group. Add members.').waitFor()
    expect(await page.getByRole('button', { name: /^(Create|Edit|Delete)/ }).count()).toBe(0)
    await expectAccessibleLayout(page)
  })

  test('an admin creates a policy, whose sentence follows the form, changes it and deletes it', async () => {
    await acme.owner.post('/groups', { slug: 'treasury', name: 'Treasury', members: [ana.email] })
    await acme.agent.post('/tasks', taskPayload({}, { type: 'wire-transfer' }))
    const { page } = await open('policies')
    await page.getByRole('button', { name: 'Create policy' }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Create policy' })
    const summary = dialog.getByRole('region', { name: 'Summary of the policy' })
    await summary.getByText('Tasks: every member may answer. One answer is enough.').waitFor()
    await dialog.locator('datalist option[value=wire-transfer]').waitFor({ state: 'attached' })
    // The first field has the focus.
    await page.keyboard.type('bank')
    await page.keyboard.press('Tab')
    await page.keyboard.type('wire-transfer')
    await dialog.getByLabel('Reviewers').selectOption('Only these groups and members')
    // Nobody is selected yet, so Enter does not create the policy.
    await dialog.getByLabel('Type').press('Enter')
    await dialog.getByText('Select at least one group or member.').waitFor()
    await dialog.getByLabel('Treasury').check()
    await dialog.getByLabel('Answers needed').selectOption('2 people')
    await dialog.getByLabel('What “Reject” and “Mark done” do').selectOption('Either ends the task')
    await summary
      .getByText(
        'Tasks of app bank and type wire-transfer: only Treasury may answer. 2 people must give the same answer; one “Reject” or “Mark done” ends the task. The people behind the task and people with an unverified address may not answer.',
      )
      .waitFor()
    await summary.getByText('Only 1 person can answer and 2 must agree, so new tasks are refused.').waitFor()
    await dialog.getByLabel('Ben').check()
    await summary.getByText('Only 2 people can answer, so one absence blocks a task').waitFor()
    for (const size of [
      { width: 390, height: 844 },
      { width: 1280, height: 800 },
    ]) {
      await page.setViewportSize(size)
      await expectAccessibleLayout(page)
    }
    await dialog.getByRole('button', { name: 'Create policy' }).click()
    const row = page.getByRole('listitem').filter({ hasText: 'Tasks of app bank and type wire-transfer' })
    await row.getByText('Only Treasury and Ben may answer. 2 people must give the same answer').waitFor()
    const find = async () =>
      (await acme.owner.get('/policies')).body.policies.find(
        ({ type }: { type?: string }) => type === 'wire-transfer',
      )
    expect(await find()).toMatchObject({
      app: 'bank',
      by: ['group:treasury', ben.email],
      needed: 2,
      onDecline: 'end',
    })

    await row.getByRole('button', { name: /^Edit the policy/ }).click()
    const change = page.getByRole('dialog', { name: 'Edit policy' })
    await change.getByLabel('Answers needed').selectOption('One answer is enough')
    await change.getByLabel('Reviewers').selectOption('Every member')
    await change.getByLabel('The people behind the task may answer').uncheck()
    await change.getByLabel('Percent of tasks').fill('12.5')
    await change.getByLabel("Don't allow answers in Slack").check()
    await change.getByRole('button', { name: 'Save policy' }).click()
    await row.getByText('12.5 % of the tasks are answered by two people independently.').waitFor()
    const { policyId, ...changed } = await find()
    expect(changed).toEqual({
      app: 'bank',
      type: 'wire-transfer',
      onDecline: 'end',
      requesterMayAnswer: false,
      doubleReviewShare: 0.125,
      linkOnly: true,
    })

    await row.getByRole('button', { name: /^Delete the policy/ }).click()
    await page.getByRole('dialog').getByText('Open tasks keep their review.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete policy' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' }) // a dialog hides the rows from roles
    await row.waitFor({ state: 'detached' })
    expect(await find()).toBeUndefined()
  })

  test('the form says to how many tasks of the last 7 days the policy would have applied, and how many it would have refused', async () => {
    const type = 'preview'
    await acme.agent.post('/tasks', taskPayload({ app: 'till' }, { type }))
    await ana.post('/tasks', taskPayload({ app: 'till' }, { type }))
    await ana.post('/tasks', taskPayload({ app: 'shop' }, { type }))
    const { page } = await open('policies')
    await page.getByRole('button', { name: 'Create policy' }).click()
    const dialog = page.getByRole('dialog')
    const summary = dialog.getByRole('region', { name: 'Summary of the policy' })
    await dialog.getByRole('combobox', { name: 'App' }).fill('till')
    await dialog.getByRole('combobox', { name: 'Type' }).fill(type)
    await summary.getByText('Last 7 days: this policy would have applied to 2 tasks.').waitFor()
    // Ana may not answer the one she sent herself.
    await dialog.getByLabel('Reviewers').selectOption('Only these groups and members')
    await dialog.getByLabel('Ana').check()
    await dialog.getByLabel('The people behind the task may answer').uncheck()
    await summary.getByText('1 would have been refused: too few people could answer.').waitFor()
    await dialog.getByLabel('Answer within (minutes)').fill('60')
    await summary.getByText('None took longer than 1 hour.').waitFor()
  })

  test('a member sees the policies, with a warning where nobody can answer', async () => {
    await acme.owner.post('/groups', { slug: 'vacant', name: 'Vacant' })
    await acme.owner.post('/policies', { type: 'vacancy', by: ['group:vacant'] })
    const { page } = await open('policies', { cookie: ben.cookie, width: 390, height: 844 })
    await page.getByText('Only admins and owners can create and change policies. Ask Olga Owner.').waitFor()
    await page.getByText('Only Vacant may answer. One answer is enough.').waitFor()
    await page.getByText('Nobody can answer, so new tasks are refused.').waitFor()
    expect(await page.getByRole('button', { name: /^(Create|Edit|Delete)/ }).count()).toBe(0)
    await expectAccessibleLayout(page)
  })

  test('a policy says by when tasks are answered; rows and the task show the time that is left, or how late they are', async () => {
    await acme.owner.post('/groups', { slug: 'leads', name: 'Leads', members: [ben.email] })
    const { page } = await open('policies')
    await page.getByRole('button', { name: 'Create policy' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create policy' })
    await dialog.getByLabel('Type').fill('chargeback')
    await dialog.getByLabel('Assignee').selectOption('Ana')
    await dialog.getByLabel('Answer within (minutes)').fill('20')
    await dialog.getByLabel('Remind after (minutes)').fill('90')
    await dialog.getByRole('button', { name: 'Add a step' }).click()
    const step = dialog.getByRole('group', { name: 'Step 1' })
    await step.getByLabel('After (minutes)').fill('120')
    await step.getByLabel('Hand the task to').selectOption('Leads')
    await step.getByLabel('Raise the priority by one level').check()
    const { height } = (await step.getByText('Raise the priority by one level').boundingBox())!
    expect(height).toBeLessThan(30) // one line
    const says =
      'Tasks are assigned to Ana. Tasks are late after 20 minutes. A reminder follows after 90 minutes. After 2 hours the task goes to Leads, and its priority rises.'
    await dialog.getByRole('region', { name: 'Summary of the policy' }).getByText(says).waitFor()
    await expectAccessibleLayout(page)
    await dialog.getByRole('button', { name: 'Create policy' }).click()
    await page.getByRole('listitem').filter({ hasText: says }).waitFor()
    // The form keeps every setting.
    await page.getByRole('button', { name: 'Edit the policy for tasks of type chargeback' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save policy' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const find = ({ type }: { type?: string }) => type === 'chargeback'
    expect((await acme.owner.get('/policies')).body.policies.find(find)).toMatchObject({
      assignTo: ana.email,
      answerWithinMinutes: 20,
      remindAfterMinutes: 90,
      escalate: [{ afterMinutes: 120, to: 'group:leads', raisePriority: true }],
    })

    const payload = taskPayload({}, { type: 'chargeback', name: 'Accept the chargeback?' })
    const { taskId } = (await acme.agent.post('/tasks', payload)).body
    const answerBy = Date.parse((await acme.agent.get(`/tasks/${taskId}`)).body.answerBy)
    const { page: inbox, go } = await blankTab()
    await inbox.clock.setFixedTime(answerBy - 19.5 * 60_000)
    await go(`/w/${acme.workspaceId}/inbox/${taskId}`)
    const row = inbox.getByRole('option').filter({ hasText: 'Accept the chargeback?' })
    await row.getByText('19 min left').waitFor()
    await inbox.getByRole('main').getByText('(19 min left).').waitFor()
    await inbox.clock.setFixedTime(answerBy + 8.5 * 60_000)
    await go(`/w/${acme.workspaceId}/inbox`)
    await row.getByText('8 min late').waitFor()
    await inbox
      .getByRole('main')
      .getByRole('link', { name: 'Accept the chargeback?' })
      .getByText('8 min late')
      .waitFor()
  })
})
