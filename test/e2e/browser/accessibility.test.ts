import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  expectAccessibleAlsoOnPhones,
  expectAccessibleLayout,
  expectAccessibleStructure,
  isPhone,
} from '../../support/accessible-layout.ts'
import { overflowingElements } from '../../support/browser.ts'
import { createTask, waitForTask } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { waitUntilAnswerable } from '../../support/wait-until-answerable.ts'

const phone = { width: 390, height: 844 }

const everything = {
  task: {
    type: 'check',
    name: 'A task with a bit of everything',
    description: 'Look at all of it, then decide.',
  },
  app: 'sampler',
  version: '2026.11.2',
  priority: 'high',
  context: {
    data: {
      text: '# Heading\n\nSome **bold** text, `code` and [a link](https://shop.example/).\n\n- one\n- two\n\n> quoted\n\n```ts\nconst answer: string = "a rather long line of code that has to scroll to the side somewhere" // note\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |',
      order: { number: 58213, paidAt: '2026-11-12T09:30:00Z', express: true, note: null },
      lines: [{ sku: 'A-1', what: 'Boots', amount: 620 }],
      tags: ['late', 'VIP'],
      tree: { carrier: { events: [{ at: '2026-11-12' }] } },
      drafts: [
        { name: 'One', response: 'First' },
        { name: 'Two', response: 'Second' },
      ],
      change: { before: 'a\nb', after: 'a\nc' },
      trace: { spans: Array.from({ length: 8 }, (_, n) => ({ id: n, took: n * 7 })) },
      parcels: Array.from({ length: 60 }, (_, n) => ({ sku: `A-${n}`, amount: n })),
      mail: {
        from: 'a@shop.example',
        subject: 'Refund',
        html: '<p>Dear <b>Rosa</b></p>',
        note: 'Not sent yet',
      },
      talk: [
        { role: 'user', content: 'Where is it?' },
        { role: 'assistant', content: null, tool_calls: [{ function: { name: 'find', arguments: '{}' } }] },
      ],
      photo: { url: 'https://cdn.shop.example/p.jpg', alt: 'A boot' },
      docs: { url: 'https://docs.shop.example/returns', title: 'How returns work' },
      state: ['Needs changes'],
      done: 64,
      secret: { span: 7 },
      plain: 'A sentence without end. '.repeat(40),
      address: 'https://shop.example/a/very/long/address/that/does/not/break/anywhere/by/itself/0123456789',
    },
    ui: {
      text: { 'ui:widget': 'markdown', 'ui:title': 'The report', 'ui:description': 'As the agent wrote it' },
      drafts: { 'ui:widget': 'compare' },
      change: { 'ui:widget': 'diff' },
      trace: { 'ui:widget': 'json' },
      parcels: { 'ui:widget': 'table' },
      mail: { 'ui:widget': 'email' },
      talk: { 'ui:widget': 'chat' },
      photo: { 'ui:widget': 'image' },
      docs: { 'ui:widget': 'link' },
      state: { 'ui:widget': 'badge', 'ui:options': { tone: 'warning' } },
      done: { 'ui:widget': 'progress' },
      secret: { 'ui:widget': 'hidden' },
    },
  },
  actions: [
    {
      id: 'correct',
      title: 'Correct it',
      description: 'What you enter is booked.',
      schema: {
        type: 'object',
        required: ['total', 'paid', 'verdict', 'contact', 'why'],
        properties: {
          total: { type: 'number', title: 'Total', description: 'In euros.' },
          currency: { type: 'string', title: 'Currency', enum: ['EUR', 'CHF', 'USD', 'GBP', 'SEK', 'NOK'] },
          paid: { type: 'boolean', title: 'Already paid?' },
          urgent: { type: 'boolean', title: 'Urgent' },
          verdict: { type: 'string', title: 'Verdict', enum: ['a', 'b'], enumNames: ['Right', 'Wrong'] },
          contact: {
            type: 'object',
            title: 'Contact',
            required: ['email'],
            properties: { email: { type: 'string', title: 'Email', format: 'email' } },
          },
          lines: { type: 'array', title: 'Lines', minItems: 1, items: { type: 'string' } },
          tags: {
            type: 'array',
            title: 'Tags',
            uniqueItems: true,
            items: { type: 'string', enum: ['x', 'y'] },
          },
          quality: { type: 'integer', title: 'Quality', minimum: 1, maximum: 5 },
          due: { type: 'string', title: 'Due', format: 'date' },
          why: { type: 'string', title: 'Why?', maxLength: 200 },
        },
      },
      ui: {
        quality: { 'ui:widget': 'rating' },
        why: { 'ui:widget': 'textarea', 'ui:help': 'One sentence.' },
      },
    },
    { id: 'skip', title: 'Skip it' },
    { id: 'later', title: 'Ask again in a week, when the parcel has come back' },
  ],
}

describe('pages are accessible and do not overflow, light and dark, at every width', () => {
  const { service, acme, visit } = setUpBrowserTests()
  beforeAll(async () => {
    const { body } = await acme.agent.post('/tasks', everything)
    await acme.agent.post(`/tasks/${body.taskId}/updates`, {
      message: 'Nearly there',
      level: 'warning',
      progress: 80,
    })
  })

  async function open(path: string, width = 1280, cookie = acme.owner.cookie): Promise<Page> {
    const { page } = await visit(path, { cookie, width, height: isPhone(width) ? 844 : 900 })
    return page
  }

  async function expectNoOverflowAt(page: Page, ...widths: number[]): Promise<void> {
    const size = page.viewportSize()!
    for (const width of widths) {
      await page.setViewportSize({ ...size, width })
      await expect.poll(() => overflowingElements(page)).toEqual([])
    }
    await page.setViewportSize(size)
  }

  // Forms with the same parts: their colours, and what axe finds on a phone, are those of the first.
  test('sign-in, set-up and invitation, with their error messages', async () => {
    const page = await open('/sign-in', 1280, '')
    await page.getByLabel('Email').fill('nobody@shop.example')
    await page.getByLabel('Password').fill('not the password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Incorrect email or password.').waitFor()
    await expectAccessibleAlsoOnPhones(page)
    const expectAccessible = async () => {
      await expectAccessibleStructure(page)
      await expectNoOverflowAt(page, 390, 320)
    }
    await page.goto(`${service.url}/setup#token`)
    await page.getByRole('heading', { name: 'Handrail is already set up' }).waitFor()
    await expectAccessible()
    // Like a service that is not set up yet.
    await page.route('**/api/v1/setup', (route) =>
      route.fulfill({ json: { needed: true, resetsByMail: false, passwordSignIn: true } }),
    )
    await page.reload()
    await page.getByLabel('Workspace').waitFor()
    // Requests that are intercepted bypass the cache.
    await page.unrouteAll()
    await expectAccessible()
    await page.goto(`${service.url}/invitation#token`)
    await page.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor()
    await expectAccessible()
    const email = `${'a-long-name-'.repeat(5)}@shop.example`
    const { link } = (await acme.owner.post('/invitations', { email })).body
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByLabel('Your name').waitFor()
    await expectAccessible()
  })

  // Rows are different on a touch screen, so a phone needs a visit of its own.
  test.each([1280, 390])(
    'the list, a task with every widget, its timeline and its form with errors at %i px',
    async (width) => {
      const page = await open(`/w/${acme.workspaceId}/inbox`, width)
      const row = page.getByRole('option', { name: everything.task.name })
      await row.waitFor()
      if (isPhone(width)) await expectAccessibleStructure(page)
      await row.click()
      await page.getByRole('button', { name: /Nearly there/ }).click()
      await page.getByRole('list', { name: 'Timeline' }).getByRole('listitem').first().waitFor()
      await page.locator('.hljs-keyword').waitFor()
      // In a wide window, all of this is checked beside the form.
      if (isPhone(width)) await expectAccessibleStructure(page)

      await page.getByRole('button', { name: 'Correct it' }).click()
      await page.getByLabel('Total').waitFor()
      await waitUntilAnswerable(page)
      await page.getByRole('button', { name: 'Correct it' }).last().click()
      await page.getByRole('button', { name: /^5 fields need your attention: / }).waitFor()
      if (isPhone(width)) return await expectAccessibleLayout(page)
      // In a wider window, the dock is beside the task.
      await expectNoOverflowAt(page, 1280)
      await page.setViewportSize({ width: 1600, height: 900 })
      await expectAccessibleLayout(page)
    },
  )

  test('an empty inbox, a menu and the dialogs', async () => {
    const other = await service.workspace()
    const page = await open(`/w/${other.workspaceId}/inbox`, 1280, other.owner.cookie)
    await page.getByRole('heading', { name: 'No open tasks' }).waitFor()
    await expectNoOverflowAt(page, 1600)
    await expectAccessibleAlsoOnPhones(page)
    await createTask(other, 'Small')
    await page.getByRole('option', { name: /Small/ }).click()
    await waitForTask(page, 'Small')
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: /Sign out/ }).waitFor()
    await expectAccessibleLayout(page)
    await page.getByRole('menuitem', { name: /Keyboard shortcuts/ }).click()
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await expectAccessibleStructure(page)
    await page.keyboard.press('Escape')
    const dialog = page.getByRole('dialog', { name: 'Reject task' })
    const rejectWithoutReason = async () => {
      await page.getByRole('button', { name: 'Reject…' }).click()
      await dialog.getByRole('button', { name: 'Reject task' }).click()
      await dialog.getByText('Enter a reason').waitFor()
    }
    await rejectWithoutReason()
    await expectAccessibleLayout(page)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.setViewportSize(phone)
    await rejectWithoutReason()
    await expectAccessibleStructure(page)
  })
})
