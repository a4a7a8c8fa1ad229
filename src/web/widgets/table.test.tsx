import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import { hintsOf } from './hints.ts'
import { Value } from './value.tsx'

// Widgets are loaded lazily, which takes long on a busy machine.

async function show(value: unknown, widget?: string, more: object = {}) {
  const hints = hintsOf({ field: { 'ui:widget': widget, ...more } }, 'field')
  const { container } = render(<Value value={value} hints={hints} />)
  await waitFor(() => expect(container.querySelector('.skeleton')).toBeNull())
  return container
}

describe('a table', () => {
  const rows = Array.from({ length: 10_000 }, (_, n) => ({ sku: `A-${n}`, amount: (n * 37) % 1000 }))
  const firstCells = () =>
    screen
      .getAllByRole('row')
      .slice(1, 3)
      .map((row) => within(row).getAllByRole('cell')[0]?.textContent)

  test('with 10,000 rows shows pages of fifty', async () => {
    await show(rows, 'table')
    expect(screen.getAllByRole('row')).toHaveLength(51)
    expect(screen.getByText('Rows 1 to 50 of 10,000')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Next page' }))
    expect(firstCells()).toEqual(['A-50', 'A-51'])
  })

  test('offers to copy tables of ten rows or more, and smaller ones if the sender chose the widget', async () => {
    await show(rows.slice(0, 9))
    expect(screen.queryByRole('button', { name: 'Copy as CSV' })).toBeNull()
    cleanup()
    await show(rows.slice(0, 10))
    expect(screen.getByRole('button', { name: 'Copy as CSV' })).toBeTruthy()
    cleanup()
    await show(rows.slice(0, 1), 'table')
    expect(screen.getByRole('button', { name: 'Copy as CSV' })).toBeTruthy()
  })

  test('sorts by a column ascending, descending and not at all', async () => {
    await show(rows, 'table')
    const head = screen.getByRole('button', { name: 'Amount' })
    await userEvent.click(head)
    expect(firstCells()).toEqual(['A-0', 'A-1000'])
    await userEvent.click(head)
    expect(screen.getByRole('columnheader', { name: 'Amount' }).getAttribute('aria-sort')).toBe('descending')
    expect(firstCells()).toEqual(['A-27', 'A-1027'])
    await userEvent.click(head)
    expect(firstCells()).toEqual(['A-0', 'A-1'])
  })

  test('applies titles and widgets to its columns', async () => {
    const shown = await show([{ sku: 'A', amount: 1234.5 }], 'table', {
      items: { sku: { 'ui:title': 'SKU' }, amount: { 'ui:widget': 'number', 'ui:options': { digits: 2 } } },
    })
    expect(shown.textContent).toContain('SKUAmountA1,234.50')
  })
})
