import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { CreateTask } from '../../../src/contract/create-task.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { taskPayload } from '../../support/service.ts'

const hebrew = 'האם לאשר את ההחזר?'
const inAnHour = 3_600

describe('an open task shows everything about it', () => {
  const { acme, blankTab, visit } = setUpBrowserTests({ freshWorkspace: true })

  async function openTask(payload: object) {
    const created = await acme.agent.post('/tasks', payload)
    expect(created.status).toBe(201)
    const { taskId } = created.body
    const { page } = await visit(`/w/${acme.workspaceId}/inbox/${taskId}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    return { page, taskId: taskId as string }
  }

  test('the payload view contains every field as it was sent, and is copied even without the clipboard API', async () => {
    const sent = {
      task: { type: 'refund', name: 'Refund?', description: 'Day 34.' },
      context: {
        data: { order: 58213, list: [null, { b: 1, a: 2 }] },
        ui: { order: { 'ui:title': 'Order' } },
      },
      actions: [
        { id: 'yes', title: 'Yes', description: 'Pay', outcome: 'positive' },
        {
          id: 'no',
          title: 'No',
          schema: { type: 'object', properties: { why: { type: 'string' } } },
          ui: {},
        },
      ],
      type: 'refund',
      app: 'shop',
      version: '2026.11',
      priority: 'normal',
      delivery: 'poll',
      callbackUrl: 'https://hooks.example.com/refunds?of=shop',
      threadId: 'order-58213',
      idempotencyKey: 'refund-58213-1',
      expiresInSeconds: inAnHour,
      onExpire: { actionId: 'no', data: { why: 'No answer' } },
      metadata: { trace: 'abc', empty: null },
      assignTo: acme.ownerEmail,
      review: { needed: 1, onDecline: 'end' },
      requireHuman: true,
      acceptsQuestions: true,
    }
    // A new field has to be added to this test.
    expect(Object.keys(sent).sort()).toEqual(Object.keys(CreateTask.shape).sort())
    const { page, taskId } = await openTask(sent)
    expect(await page.locator('.deadline-line-deadline').innerText()).toMatch(/, No is sent automatically\./)
    await page.getByRole('button', { name: 'View payload' }).click()
    expect(JSON.parse(await page.locator('pre.payload').innerText())).toEqual(sent)
    // Agents may use different keys of the workspace and must not see each other's callback URLs.
    expect((await acme.agent.get(`/tasks/${taskId}?include=sent`)).status).toBe(400)

    // As over plain HTTP.
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    const copied = page.evaluate(
      () =>
        new Promise<string>((resolve) => {
          document.addEventListener('copy', () => resolve(String(getSelection())), { once: true })
        }),
    )
    const dialog = page.getByRole('dialog', { name: 'Payload' })
    await dialog.getByRole('button', { name: 'Copy as JSON' }).click()
    expect(JSON.parse(await copied)).toEqual(sent)
    await dialog.getByText('Copied').waitFor()
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Copied')
  })

  test('a colleague who had the task open and answered it is named with what they chose', async () => {
    const mara = await acme.person('member', 'Mara Lind')
    const { taskId } = (await acme.agent.post('/tasks', taskPayload())).body
    await acme.owner.post(`/tasks/${taskId}/claim`)
    const { page } = await visit(`/w/${acme.workspaceId}/inbox/${taskId}`, { cookie: mara.cookie })
    await page.getByText('Olga Owner is viewing this task').waitFor()
    await acme.owner.post(`/tasks/${taskId}/handle`, { actionId: 'approve' })
    await page
      .locator('.strip')
      .getByText(/^Olga Owner answered “Approve” /)
      .waitFor()
    await expect.poll(() => page.getByText('is viewing this task').count()).toBe(0)
    const row = page.locator(`#row-${taskId}`)
    await expect.poll(() => row.locator('.rows-sub').innerText()).toBe('Olga Owner answered “Approve”')
    await row.getByRole('img', { name: /is viewing this task/ }).waitFor({ state: 'detached' })
  })

  test('right-to-left text is shown that way in name, description, context and row; embedded pictures without a click', async () => {
    const { page, taskId } = await openTask(
      taskPayload(
        {
          context: {
            data: {
              note: `${hebrew}\n\nEnglish`,
              report: `${hebrew}\n\n- ${hebrew}\n\nEnglish`,
              photo: picture(40, 30),
              scan: `![scan](${picture(20, 20)})`,
              huge: picture(60_000, 60_000),
            },
            ui: {
              report: { 'ui:widget': 'markdown' },
              photo: { 'ui:widget': 'image' },
              scan: { 'ui:widget': 'markdown' },
              huge: { 'ui:widget': 'image' },
            },
          },
        },
        { name: hebrew, description: hebrew },
      ),
    )
    await page.locator('.prose-text').first().waitFor()
    const texts = page.locator(
      `h1, .task-head-description, .prose-text, .markdown-md li, .markdown-md p, #row-${taskId} .rows-name, #row-${taskId} .rows-snippet`,
    )
    const shown = texts.filter({ hasText: /./ })
    await expect.poll(() => shown.count()).toBeGreaterThanOrEqual(7)
    const directions = await shown.evaluateAll((boxes) =>
      boxes.map((box) => [
        box.textContent?.includes('English') && !box.textContent.includes('ה'),
        getComputedStyle(box).direction,
      ]),
    )
    for (const [isEnglish, direction] of directions) expect(direction).toBe(isEnglish ? 'ltr' : 'rtl')

    const images = page.locator('.field img')
    await expect
      .poll(() => images.evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth)))
      .toEqual([40, 20])
    // It would need 14 GB of memory.
    expect(await page.getByRole('button', { name: 'Show image' }).count()).toBe(1)
  })

  test('a task and its row say that the answer is pushed to the agent, and compact rows keep room for the name', async () => {
    const payload = taskPayload(
      {
        app: 'a-rather-long-name-of-an-app',
        expiresInSeconds: inAnHour,
        delivery: 'sse',
        assignTo: acme.ownerEmail,
      },
      { name: 'A name of some length that says what is wanted' },
    )
    const { taskId } = (await acme.agent.post('/tasks', payload)).body
    const { page, go } = await blankTab({ width: 1_000 })
    await go('/health')
    await page.evaluate(() => localStorage.setItem('handrail.density', 'compact'))
    await go(`/w/${acme.workspaceId}/inbox/${taskId}`)
    const row = page.locator(`.rows-compact #row-${taskId}`)
    const pushed = 'Answer is pushed to the agent'
    await row.getByRole('img', { name: pushed }).waitFor()
    await page.getByRole('main').getByText(pushed).waitFor()
    const [whole, name] = await Promise.all([row.boundingBox(), row.locator('.rows-name').boundingBox()])
    expect(name!.width).toBeGreaterThan(whole!.width * 0.33)
    const age = await row.locator('.rows-age').boundingBox()
    expect(age!.x + age!.width).toBeLessThanOrEqual(whole!.x + whole!.width)
  })
})

/** A complete PNG, or only the header of a very large one. */
function picture(width: number, height: number): string {
  const isWhole = width * height < 10_000
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width)
  head.writeUInt32BE(height, 4)
  head.set([8, 0, 0, 0, 0], 8)
  const pixels = deflateSync(Buffer.alloc(isWhole ? (width + 1) * height : 1))
  const parts = [chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]
  return `data:image/png;base64,${Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]).toString('base64')}`
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const whole = Buffer.alloc(body.length + 8)
  whole.writeUInt32BE(data.length)
  whole.set(body, 4)
  whole.writeUInt32BE(crc32(body), body.length + 4)
  return whole
}

function crc32(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}
