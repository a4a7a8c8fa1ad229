import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createRef } from 'react'
import { expect, test, vi } from 'vitest'
import SchemaForm, { type FormHandle } from './schema-form.tsx'

vi.mock('./check-in-worker.ts', () => ({ startChecker: () => undefined, checkInWorker: async () => [] }))

function showList(items: string[], more: object = {}) {
  const handle = createRef<FormHandle>()
  const list = { type: 'array', title: 'Steps', items: { type: 'string' }, ...more }
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

test('the button that moved an item keeps the focus, also at the end of the list, where it does nothing', async () => {
  const answer = showList(['a', 'b', 'c'])
  await userEvent.click(button('Move item 2 up'))
  expect([await answer(), focused()]).toEqual([['b', 'a', 'c'], 'Move item 1 up'])
  expect(document.activeElement?.getAttribute('aria-disabled')).toBe('true')
  await userEvent.keyboard('{Enter}')
  expect(await answer()).toEqual(['b', 'a', 'c'])
  await userEvent.click(button('Move item 1 down'))
  await userEvent.keyboard('{Enter}')
  expect([await answer(), focused()]).toEqual([['a', 'c', 'b'], 'Move item 3 down'])
})

test('an added item or field has the focus, so that what is typed next is its text', async () => {
  const answer = showList(['a'])
  await userEvent.click(button('Add'))
  await userEvent.keyboard('express')
  expect(await answer()).toEqual(['a', 'express'])
  cleanup()
  const handle = createRef<FormHandle>()
  const prices = { type: 'object', properties: {}, additionalProperties: { type: 'string' } }
  render(<SchemaForm schema={prices} ui={undefined} context={undefined} handle={handle} />)
  await userEvent.click(button('Add field'))
  await userEvent.keyboard('red')
  expect((await handle.current!.check()).data).toHaveProperty('red')
})

test('after an item is removed, the focus is at a neighbor, or at Add if there is none', async () => {
  const answer = showList(['a', 'b', 'c'])
  await userEvent.click(button('Remove item 2'))
  expect([await answer(), focused()]).toEqual([['a', 'c'], 'Remove item 2'])
  await userEvent.keyboard('{Enter}')
  expect([await answer(), focused()]).toEqual([['a'], 'Remove item 1'])
  await userEvent.keyboard('{Enter}')
  expect(focused()).toBe('Add')
})

test('after the only item of a full list is removed, the focus is at the list', async () => {
  const answer = showList(['a'], { maxItems: 1 })
  await userEvent.click(button('Remove item 1'))
  expect(button('Add')).toBeDefined()
  expect(document.activeElement).toBe(screen.getByRole('group', { name: /^Steps/ }))
  expect(await answer()).toEqual([])
})

test('after the only additional item of a tuple is removed, the focus is at Add', async () => {
  const answer = showList(['a', 'b'], {
    items: [{ type: 'string' }],
    additionalItems: { type: 'string' },
  })
  await userEvent.click(button('Remove item 2'))
  expect([await answer(), focused()]).toEqual([['a'], 'Add'])
})

test('a list refers to its error, description and help', async () => {
  const handle = createRef<FormHandle>()
  const list = { type: 'array', title: 'Steps', description: 'In order', items: { type: 'string' } }
  render(
    <SchemaForm
      schema={{ type: 'object', properties: { steps: list } }}
      ui={{ steps: { 'ui:help': 'Drag to sort' } }}
      context={undefined}
      handle={handle}
    />,
  )
  const descriptions = () => {
    const ids = screen
      .getByRole('group', { name: /^Steps/ })
      .getAttribute('aria-describedby')
      ?.split(' ')
    return ids?.map((id) => document.getElementById(id)?.textContent)
  }
  expect(descriptions()).toEqual(['In order', 'Drag to sort'])
  await act(async () => handle.current!.showErrors([{ path: 'steps', message: 'Add a step.' }]))
  expect(descriptions()).toEqual(['Add a step.', 'In order', 'Drag to sort'])
  expect(document.activeElement).toBe(screen.getByRole('group', { name: /^Steps/ }))
})
