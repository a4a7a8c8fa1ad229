import { render, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { revisionChanges } from '../revisions/revision-changes.ts'
import ContextSections from './context-sections.tsx'

// Widgets are loaded lazily, which takes long on a busy machine.

const pixel = (color: string) =>
  `data:image/gif;base64,${Buffer.from(`47494638396101000100800000${color}0000002c00000000010001000002024401003b`, 'hex').toString('base64')}`
const ui = {
  photo: { 'ui:widget': 'image' },
  order: { 'ui:widget': 'link' },
  amount: { 'ui:widget': 'number', 'ui:options': { currency: 'EUR' } },
  trace: { 'ui:widget': 'hidden' },
  note: { 'ui:widget': 'markdown' },
}
const contextOf = (n: number) => ({
  data: {
    photo: pixel(n === 10 ? 'ff0000' : '0000ff'),
    order: `https://example.com/${n}`,
    amount: n,
    trace: `trace-${n}`,
    note: `Parcel **${n}**`,
  },
  ui,
})

test('a revised image, link, number or hidden field is shown as it is now, below what changed', async () => {
  const task = (n: number) => ({ name: 'Refund?', description: undefined, context: contextOf(n) }) as never
  const changes = revisionChanges(task(10), task(20))
  expect(changes).toHaveLength(5)
  const { container } = render(<ContextSections context={contextOf(20)} changes={changes} />)
  const fieldOf = (name: string) => container.querySelector(`[data-field=${name}]`)!
  await waitFor(() => {
    expect(container.querySelector('.skeleton')).toBeNull()
    expect(Object.keys(ui).map((field) => fieldOf(field).querySelectorAll('ins').length)).toEqual([
      1, 1, 1, 1, 1,
    ])
  })
  expect(fieldOf('photo').querySelector('img')?.getAttribute('src')).toBe(pixel('0000ff'))
  expect(fieldOf('order').querySelector('a')?.getAttribute('href')).toBe('https://example.com/20')
  expect(fieldOf('amount').textContent).toMatch(/€20\.00$/)
  expect(
    fieldOf('trace').contains(screen.getByRole('button', { name: /^Show field hidden by the agent/ })),
  ).toBe(true)
  expect(fieldOf('note').querySelector('strong')).toBeNull()
})
