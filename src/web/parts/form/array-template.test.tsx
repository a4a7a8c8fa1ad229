import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createRef } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import SchemaForm, { type FormHandle } from './schema-form.tsx'

vi.mock('./check-in-worker.ts', () => ({ startChecker: () => undefined, checkInWorker: async () => [] }))
afterEach(cleanup)

function showList(items: string[]) {
  const handle = createRef<FormHandle>()
  const list = { type: 'array', title: 'Steps', description: 'In order', items: { type: 'string' } }
  render(
    <SchemaForm
      schema={{ type: 'object', properties: { steps: { ...list, default: items } } }}
      ui={undefined}
      context={undefined}
      handle={handle}
    />,
  )
  return async () => (await handle.current!.check()).data.steps
}

const button = (name: string) => screen.getByRole('button', { name })
const focused = () =>
  document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent

test('a button that moves an item can keep the focus at the end of the list, and does nothing there', async () => {
  const answer = showList(['a', 'b'])
  const up = button('Move item 2 up') as HTMLButtonElement
  await userEvent.click(up)
  expect(await answer()).toEqual(['b', 'a'])
  expect(up).toBe(button('Move item 1 up'))
  expect([up.disabled, up.getAttribute('aria-disabled')]).toEqual([false, 'true'])
  await userEvent.click(up)
  expect(await answer()).toEqual(['b', 'a'])
})

test('after an item is removed, the focus is at a neighbour, or at Add if there is none', async () => {
  const answer = showList(['a', 'b', 'c'])
  await userEvent.click(button('Remove item 2'))
  expect([await answer(), focused()]).toEqual([['a', 'c'], 'Remove item 2'])
  await userEvent.keyboard('{Enter}')
  expect([await answer(), focused()]).toEqual([['a'], 'Remove item 1'])
  await userEvent.keyboard('{Enter}')
  expect(focused()).toBe('Add')
})

test('a list refers to its description', async () => {
  showList(['a'])
  const list = screen.getByRole('group', { name: /^Steps/ })
  expect(document.getElementById(list.getAttribute('aria-describedby') ?? '')?.textContent).toBe('In order')
})
