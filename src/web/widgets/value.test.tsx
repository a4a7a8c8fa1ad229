import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { humanizeName } from '../../contract/forms/humanize-name.ts'
import { contextWarnings } from '../../contract/hints.ts'
import { contextWidgets } from '../../contract/widget-values.ts'
import { hintsOf } from './hints.ts'
import Markdown from './markdown.tsx'
import { Value } from './value.tsx'

// Widgets are loaded lazily, which takes long on a busy machine.
const show = (value: unknown, ui?: object) =>
  render(<Value value={value} hints={hintsOf({ field: ui }, 'field')} />).container
const markdown = (text: string) => render(<Markdown value={text} hints={{}} />).container

describe('a value without a widget', () => {
  test.each([
    ['nothing', null, 'None'],
    ['a boolean', true, 'Yes'],
    ['a number, digit by digit', 1234567.5, '1234567.5'],
    ['a flat object', { orderNumber: 58213 }, 'Order number58213'],
    ['a list of flat objects', [{ sku: 'A' }, { sku: 'B', price: 2 }], 'SkuPriceAB2'],
  ])('shows %s', (_, value, text) => {
    expect(show(value).textContent).toBe(text)
  })

  test('folds long text and shows its length', () => {
    const text = Array.from({ length: 212 }, (_, n) => `line ${n}`).join('\n')
    expect(show(text).textContent).not.toContain('line 40')
    expect(screen.getByRole('button').textContent).toBe('Show all 212 lines')
  })

  test('does not count a final line break as a line', () => {
    show('line\n'.repeat(40))
    expect(screen.queryByRole('button')).toBeNull()
    show('line\n'.repeat(45))
    expect(screen.getByRole('button').textContent).toBe('Show all 45 lines')
  })

  test('does not cut a character in half', () => {
    expect(show(`a${'😀'.repeat(4_000)}`).querySelector('p')!.textContent).toBe(`a${'😀'.repeat(2_999)}`)
  })

  test('links web addresses and no other schemes', () => {
    expect(show('https://shop.example/a').querySelector('a')?.rel).toBe('noopener noreferrer nofollow')
    expect(show('javascript:alert(1)').querySelector('a')).toBeNull()
  })

  test('shows bidirectional control characters instead of applying them', () => {
    expect(show('pay \u202e001').textContent).toBe('pay RLO001')
  })

  test('shows the start of a long list and the number of all elements', () => {
    const many = Array.from({ length: 700 }, (_, n) => ({ text: `number ${n}` }))
    const shown = show(many, { items: { text: { 'ui:title': 'Text' } } })
    expect(shown.querySelectorAll('li')).toHaveLength(50)
    expect(screen.getByRole('button').textContent).toBe('Show 500 more of 700 elements')
  })

  test('shows a nested structure as a tree', () => {
    expect(show({ a: { b: [1, 2] } }).querySelector('[aria-expanded]')).not.toBeNull()
  })
})

describe('a widget', () => {
  test('that is unknown falls back to the value', () => {
    expect(show('text', { 'ui:widget': 'gauge' }).textContent).toContain('text')
  })

  test('shows a value that a revision has corrected', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const hints = hintsOf({ field: { 'ui:widget': 'table' } }, 'field')
    const { container, rerender } = render(<Value value="words" hints={hints} />)
    await waitFor(() => expect(container.textContent).toContain("can't show this value"))
    rerender(<Value value={[{ a: 1 }]} hints={hints} />)
    await waitFor(() => expect(container.textContent).not.toContain("can't show this value"))
  })

  const samples = ['words', 12, true, { a: 1 }, ['a'], [{ a: 1 }]]
  test.each(contextWidgets)(
    '%s falls back for every value that the sender is warned about',
    async (widget) => {
      vi.spyOn(console, 'error').mockImplementation(() => undefined)
      for (const value of samples) {
        const warned = contextWarnings({ field: value }, { field: { 'ui:widget': widget } })
        const shown = show(value, { 'ui:widget': widget })
        if (warned.length > 0)
          await waitFor(() => expect(shown.textContent).toContain("can't show this value"))
        cleanup()
      }
    },
  )

  test('that cannot show the value falls back to it', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const shown = show({ a: 1 }, { 'ui:widget': 'compare' })
    await waitFor(() => expect(shown.textContent).toContain('A1'))
  })
})

describe('markdown', () => {
  test('renders headings, lists, bold text and code', () => {
    const shown = markdown('# Title\n\n- **bold**\n\n```ts\nconst a = 1\n```')
    expect(shown.querySelector('.h1')?.textContent).toBe('Title')
    expect(shown.querySelector('li strong')?.textContent).toBe('bold')
    expect(shown.querySelector('pre')?.textContent).toBe('const a = 1')
  })

  test('never renders HTML, scripts or images that load by themselves', () => {
    const shown = markdown(
      '<script>x</script> <b>b</b> ![p](https://track.example/p.gif) [j](javascript:alert(1))',
    )
    expect(shown.querySelector('script, b, img')).toBeNull()
    expect([...shown.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual([
      'https://track.example/p.gif',
    ])
  })

  test.each([
    ['50,000 quotes', '>'.repeat(50_000)],
    [
      'a list of 300 levels',
      Array.from({ length: 300 }, (_, n) => `${'  '.repeat(n)}- level ${n}`).join('\n'),
    ],
    ['half a megabyte', 'x'.repeat(500_000)],
    ['a table of 60,000 cells', `|a|b|\n|-|-|\n${'|a|b|\n'.repeat(30_000)}`],
    ['50,000 pieces of code in one line', '`a` '.repeat(50_000)],
  ])('falls back to the text itself for %s, quickly', (_, text) => {
    const start = process.cpuUsage()
    const shown = markdown(text)
    expect(shown.querySelector('.md')).toBeNull()
    expect(shown.textContent).toContain(text.slice(0, 100))
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(10_000)
  })
})

test('field names are converted to words', () => {
  expect(['mergedChanges', 'refund_amount', 'SKU', 'odd name!'].map(humanizeName)).toEqual([
    'Merged changes',
    'Refund amount',
    'SKU',
    'odd name!',
  ])
})
