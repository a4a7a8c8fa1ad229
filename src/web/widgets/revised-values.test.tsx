import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { CodeBlock } from './code-block.tsx'
import { hintsOf } from './hints.ts'
import { Value } from './value.tsx'

// Widgets are loaded lazily, which takes long on a busy machine.

/** Shows the value; the result shows what the agent revised it to. */
function show(value: unknown, widget: string) {
  const hints = hintsOf({ field: { 'ui:widget': widget } }, 'field')
  const { rerender } = render(<Value value={value} hints={hints} />)
  return (revised: unknown) => rerender(<Value value={revised} hints={hints} />)
}

test('a comparison shows all items after some were added or removed', async () => {
  const items = ['atlas', 'birch'].map((name) => ({ name, response: `By ${name}` }))
  const heads = () => screen.getAllByRole('heading', { level: 3 }).map((head) => head.textContent)
  const revise = show(items, 'compare')
  await screen.findAllByRole('article')
  await userEvent.keyboard('w')
  expect(heads()).toEqual(['birch', 'atlas'])
  revise([...items, { name: 'cedar', response: 'By cedar' }])
  expect(heads()).toEqual(['atlas', 'birch', 'cedar'])
  await userEvent.click(screen.getByRole('button', { name: 'cedar' }))
  revise(items.slice(0, 1))
  expect(heads()).toEqual(['atlas'])
  expect(screen.getByRole('article').className).toContain('active')
})

test('a table shows its last page if the page on screen was removed', async () => {
  const rows = Array.from({ length: 120 }, (_, n) => ({ sku: `A-${n}` }))
  const revise = show(rows, 'table')
  await userEvent.click(await screen.findByRole('button', { name: 'Next page' }))
  await userEvent.click(screen.getByRole('button', { name: 'Next page' }))
  revise(rows.slice(0, 70))
  expect(screen.getByText('Rows 51 to 70 of 70')).toBeTruthy()
  revise(rows.slice(0, 3))
  expect(screen.getAllByRole('row')).toHaveLength(4)
})

test.each(['image', 'markdown'])(
  'a picture with another URL is loaded only after a click: %s',
  async (widget) => {
    const value = (url: string) => (widget === 'image' ? url : `![](${url})`)
    const revise = show(value('https://cdn.example/1.png'), widget)
    await userEvent.click(await screen.findByRole('button', { name: 'Load image from cdn.example' }))
    fireEvent.error(screen.getByRole('button', { name: 'Enlarge image' }).firstElementChild!)
    expect(screen.getByRole('status').textContent).toBe("couldn't be loaded")
    revise(value('https://cdn.example/2.png'))
    expect(screen.queryByRole('status')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Load image from cdn.example' }))
    revise(value('https://track.example/3.png'))
    expect(document.querySelector('img')).toBeNull()
    expect(screen.getByRole('button', { name: 'Load image from track.example' })).toBeTruthy()
  },
)

test('code with too many lines is one text without marks, also in a known language', async () => {
  const lines = (container: HTMLElement) => container.querySelectorAll('code > span').length
  const few = render(<CodeBlock code={'a\n'.repeat(9)} language="ts" marked={new Set([0])} />).container
  await vi.waitFor(() => expect(few.querySelector('code > span > span')).toBeTruthy(), 20_000)
  expect([lines(few), few.querySelectorAll('.differs').length]).toEqual([10, 1])
  const many = render(<CodeBlock code={'a\n'.repeat(9_000)} language="ts" marked={new Set([0])} />).container
  await userEvent.click(screen.getByRole('button', { name: /^Show all/ }))
  // The highlighter and the language are loaded already.
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect([lines(many), many.querySelectorAll('.differs').length]).toEqual([1, 0])
})
