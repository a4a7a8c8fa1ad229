import { describe, expect, test } from 'vitest'
import { expectAccessibleLayout } from '../../support/accessible-layout.ts'
import { axeViolations } from '../../support/browser.ts'
import { createTask } from '../../support/browser-actions.ts'
import { setUpBrowserTests } from '../../support/browser-tests.ts'
import { waitUntilAnswerable } from '../../support/wait-until-answerable.ts'

describe('colleagues work together on a task, by keyboard', () => {
  const { acme, visit } = setUpBrowserTests({ freshWorkspace: true })

  test('A assigns it to a group, N writes a note that mentions a colleague, and notes of others appear without reloading', async () => {
    const ben = await acme.person('member', 'Ben')
    await acme.owner.post('/groups', { slug: 'finance', name: 'Finance', members: [ben.email] })
    const taskId = await createTask(acme, 'Refund €40?')
    const { page } = await visit(`/w/${acme.workspaceId}/inbox/${taskId}`)
    await waitUntilAnswerable(page)

    await page.keyboard.press('a')
    const assign = page.getByRole('dialog', { name: 'Assign task' })
    await assign.getByRole('combobox').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.type('fin')
    await assign.getByRole('button', { name: /^Assign to Finance/ }).waitFor()
    await assign.getByRole('textbox', { name: /^Note/ }).fill('Please check the IBAN.')
    await page.keyboard.press('Control+Enter')
    await assign.waitFor({ state: 'detached' })
    const { assignedTo } = (await acme.owner.get(`/tasks/${taskId}`)).body
    expect(assignedTo).toBe('group:finance')
    const row = page.getByRole('option', { name: /Refund/ })
    await row.getByRole('img', { name: 'Assigned to Finance' }).waitFor()
    const conversation = page.getByRole('list', { name: 'Conversation' })
    await conversation.getByText('Please check the IBAN.').waitFor()
    await conversation.getByText('assigned this to Finance').waitFor()

    await page.keyboard.press('n')
    const note = page.getByRole('dialog', { name: 'Add note' })
    const text = note.getByRole('textbox')
    await text.waitFor()
    await page.keyboard.type('Same supplier as May, @be')
    await note.getByRole('option', { name: /^Ben/, selected: true }).waitFor()
    await expectAccessibleLayout(page)
    // The list of suggestions closes first. Typing opens it again.
    await page.keyboard.press('Escape')
    await note.getByRole('option').first().waitFor({ state: 'detached' })
    expect(await text.inputValue()).toBe('Same supplier as May, @be')
    await page.keyboard.type('n')
    await note.getByRole('option', { name: /^Ben/, selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('?')
    expect(await text.inputValue()).toBe(`Same supplier as May, @${ben.email} ?`)
    await page.keyboard.press('Control+Enter')
    await note.waitFor({ state: 'detached' })
    await conversation.getByText('Same supplier as May, @Ben ?').waitFor()

    await ben.post(`/tasks/${taskId}/notes`, { text: `Then pay it, @${acme.ownerEmail}` })
    const reply = conversation.getByRole('listitem').filter({ hasText: 'Then pay it' })
    await reply.getByText('@you').waitFor()
    await reply.getByText('Only members see this').waitFor()
    await expectAccessibleLayout(page)
  })
})
