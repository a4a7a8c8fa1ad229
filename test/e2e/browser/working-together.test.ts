import { describe, expect, test } from 'vitest'
import { expectAccessibleLayout } from '../../support/accessible-layout.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { taskPayload } from '../../support/service.ts'
import { waitUntilAnswerable } from '../../support/wait-until-answerable.ts'

describe('colleagues work together on a task, by keyboard', () => {
  const { acme, visit } = setUpBrowserTests({ freshWorkspace: true })

  test('A assigns it to a colleague or a group, and the list says to whom', async () => {
    const ana = await acme.person('member', 'Ana')
    await acme.owner.post('/groups', { slug: 'finance', name: 'Finance', members: [ana.email] })
    const { taskId } = (await acme.agent.post('/tasks', taskPayload())).body
    const { page } = await visit(`/w/${acme.workspaceId}/inbox/${taskId}`)
    const dialog = page.getByRole('dialog', { name: 'Assign task' })
    const row = page.getByRole('option', { name: /Refund/ })
    const assignedTo = async () => (await acme.owner.get(`/tasks/${taskId}`)).body.assignedTo
    await waitUntilAnswerable(page)

    await page.keyboard.press('a')
    await dialog.getByRole('combobox').waitFor()
    await expectAccessibleLayout(page)
    await page.keyboard.type('zzz')
    await page.keyboard.press('Enter')
    await dialog.getByText('No member or group matches.').waitFor()
    expect(await assignedTo()).toBeUndefined()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('fin')
    await dialog.getByRole('button', { name: /^Assign to Finance/ }).waitFor()
    await dialog.getByRole('textbox', { name: /^Note/ }).fill('Please check the IBAN.')
    await page.keyboard.press('Control+Enter')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(assignedTo).toBe('group:finance')
    await row.getByRole('img', { name: 'Assigned to Finance' }).waitFor()
    const conversation = page.getByRole('list', { name: 'Conversation' })
    await conversation.getByText('Please check the IBAN.').waitFor()
    await conversation.getByText('assigned this to Finance').waitFor()

    // With the arrow keys: the person themselves is first, nobody is last.
    await page.keyboard.press('a')
    await dialog.getByRole('combobox').waitFor()
    await page.keyboard.press('ArrowUp')
    await dialog.getByRole('option', { name: /^No one/, selected: true }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(assignedTo).toBe(acme.ownerEmail)
    await row.getByRole('img', { name: 'Assigned to you' }).waitFor()
  })

  test('N writes a note that mentions a colleague, who sees it without reloading', async () => {
    const ben = await acme.person('member', 'Ben')
    const { taskId } = (await acme.agent.post('/tasks', taskPayload({}, { name: 'Pay invoice 7' }))).body
    const path = `/w/${acme.workspaceId}/inbox/${taskId}`
    const reader = (await visit(path, { cookie: ben.cookie })).page
    await reader.getByRole('heading', { level: 1 }).waitFor()
    const { page } = await visit(path)
    await waitUntilAnswerable(page)
    await page.keyboard.press('n')
    const dialog = page.getByRole('dialog', { name: 'Add note' })
    await dialog.getByRole('textbox').waitFor()
    await page.keyboard.type('Same supplier as May, @be')
    await dialog.getByRole('option', { name: /^Ben/, selected: true }).waitFor()
    await expectAccessibleLayout(page)
    // The list of suggestions closes first. Typing opens it again.
    await page.keyboard.press('Escape')
    await dialog.getByRole('option').first().waitFor({ state: 'detached' })
    expect(await dialog.getByRole('textbox').inputValue()).toBe('Same supplier as May, @be')
    await page.keyboard.type('n')
    await dialog.getByRole('option', { name: /^Ben/, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('?')
    // Closing keeps the text.
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.keyboard.press('n')
    expect(await dialog.getByRole('textbox').inputValue()).toBe(`Same supplier as May, @${ben.email} ?`)
    await page.keyboard.press('Control+Enter')
    await dialog.waitFor({ state: 'detached' })

    const note = reader.getByRole('list', { name: 'Conversation' }).getByRole('listitem')
    await note.getByText('@you').waitFor()
    await note.getByText('Only members see this').waitFor()
    await expectAccessibleLayout(reader)
  })
})
