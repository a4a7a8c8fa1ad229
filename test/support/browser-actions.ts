import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { type TestWorkspace, taskPayload, testPassword } from './service.ts'
import { waitUntilAnswerable } from './wait-until-answerable.ts'

// Steps that many browser tests share.

/** Creates a task with this name and returns its id. */
export async function createTask(
  { agent }: Pick<TestWorkspace, 'agent'>,
  name: string,
  more: Record<string, unknown> = {},
): Promise<string> {
  return (await agent.post('/tasks', taskPayload(more, { name }))).body.taskId
}

/** Creates tasks with these names one after the other and returns their ids. */
export async function createTasks(
  workspace: Pick<TestWorkspace, 'agent'>,
  names: string[],
  more: Record<string, unknown> = {},
): Promise<string[]> {
  const ids: string[] = []
  for (const name of names) ids.push(await createTask(workspace, name, more))
  return ids
}

/** The names of the tasks in the list, in order. */
export function taskNames(page: Page): Promise<string[]> {
  return page.getByRole('option').locator('.rows-name').allInnerTexts()
}

/** Waits until the task with this name is open and accepts answers. */
export async function waitForTask(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  await waitUntilAnswerable(page)
}

/** Waits until the dialog takes text. Before, a dialog without a field says that it is loading. */
export async function waitForRejectDialog(page: Page): Promise<void> {
  await page.getByRole('dialog', { name: 'Reject task' }).locator('textarea:focus').waitFor()
}

/** Sends the answer by keyboard once the open task accepts answers. */
export async function sendAnswer(page: Page): Promise<void> {
  await waitUntilAnswerable(page)
  await page.keyboard.press('Control+Enter')
}

/** Marks the open task done by keyboard. Where answers cannot be undone, a dialog asks first. */
export async function markDone(page: Page): Promise<void> {
  await waitUntilAnswerable(page)
  await page.keyboard.press('e')
  await page.getByRole('dialog', { name: 'Mark done?' }).waitFor()
  await page.keyboard.press('Control+Enter')
}

/** Presses keys without waiting in between, like a keyboard that is faster than the page. */
export async function pressAtOnce(page: Page, ...keys: string[]): Promise<void> {
  await Promise.all(keys.map((key) => page.keyboard.press(key)))
}

/** Fills in and submits the sign-in form. */
export async function signIn(page: Page, email: string, password = testPassword): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** Signs out from the account menu. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
}

export const setUpOwner = { email: 'nadia@shop.example', password: 'correct horse battery' }

/** Fills in and submits the set-up form. */
export async function fillSetUpForm(page: Page): Promise<void> {
  await page.getByLabel('Workspace').fill('Shop')
  await page.getByLabel('Your name').fill('Nadia')
  await page.getByLabel('Email').fill(setUpOwner.email)
  await page.getByLabel('Password').fill(setUpOwner.password)
  await page.getByRole('button', { name: 'Set up' }).click()
}

/** Approves the open task by keyboard and waits until the service has the answer. */
export async function approveTask(
  page: Page,
  { agent }: Pick<TestWorkspace, 'agent'>,
  taskId: string,
): Promise<void> {
  await page.getByRole('button', { name: 'Approve' }).first().click()
  await sendAnswer(page)
  await expect.poll(async () => (await agent.get(`/tasks/${taskId}`)).body.status).toBe('handled')
}
