import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { contextWidgets } from '../../contract/widget-values.ts'
import { activeShortcuts } from '../lib/shortcuts.ts'
import { ComparisonsContext } from './comparisons.ts'
import { hintsOf } from './hints.ts'
import { Value } from './value.tsx'

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})
// Widgets are loaded lazily, which takes long on a busy machine.

async function show(value: unknown, widget?: string, more: object = {}) {
  const hints = hintsOf({ field: { 'ui:widget': widget, ...more } }, 'field')
  const { container } = render(<Value value={value} hints={hints} />)
  await waitFor(() => expect(container.querySelector('.skeleton')).toBeNull())
  return container
}
const fallbackNotice = /can't show this value, so it is shown without it/

describe('every widget that the contract names', () => {
  test.each(contextWidgets)('%s shows something for every value', async (widget) => {
    for (const value of [null, 7, 'text', [], ['a', 1], {}, { a: { b: 1 } }, [{ a: 1 }], [[1]], true]) {
      const shown = await show(value, widget)
      expect(shown.textContent, `${widget} of ${JSON.stringify(value)}`).not.toBe('')
      cleanup()
    }
  })
})

describe('a comparison', () => {
  const items = [
    { name: 'atlas', source: 'atlas-large', response: 'The header **is gone** now.', tokens: 41 },
    { name: 'birch', source: 'birch-small', response: 'The header **is sent** now.', tokens: 38 },
  ]
  const compareUi = { field: { 'ui:widget': 'compare' } }
  const heads = () => screen.getAllByRole('heading', { level: 3 }).map((head) => head.textContent)

  test('has a pane for each item, with its name, its source and its other fields', async () => {
    await show(items, 'compare')
    const [first] = screen.getAllByRole('article')
    expect(heads()).toEqual(['atlas', 'birch'])
    expect(first?.textContent).toContain('atlas-large')
    expect(first?.textContent).toContain('Tokens41')
  })

  test('does not show which item the sender marked as its own', async () => {
    const shown = await show(
      [
        { ...items[0]!, ours: true },
        { ...items[1]!, ours: 'by us' },
      ],
      'compare',
    )
    expect(shown.textContent).not.toContain('Yes')
    expect(shown.textContent?.match(/ours/gi)).toHaveLength(1)
    expect(shown.textContent).toContain('by us')
  })

  test('marks differences until they are switched off', async () => {
    const shown = await show(items, 'compare')
    await waitFor(() =>
      expect([...shown.querySelectorAll('mark')].map((mark) => mark.textContent)).toEqual(['gone', 'sent']),
    )
    expect(screen.getByRole('status').textContent).toBe('Differences are highlighted')
    await userEvent.keyboard('d')
    expect(shown.querySelector('mark')).toBeNull()
  })

  test('marks very different texts only on request', async () => {
    const shown = await show([{ response: 'one two' }, { response: 'three four' }], 'compare')
    const diff = screen.getByRole('button', { name: 'Differences' })
    expect(shown.querySelector('mark')).toBeNull()
    await userEvent.click(diff)
    await waitFor(() => expect(shown.querySelectorAll('mark').length).toBeGreaterThan(0))
  })

  test('says so if differences cannot be highlighted, and offers no button for it', async () => {
    vi.doMock('./find-marks.ts', () => Promise.reject(new Error('offline')))
    await show(items, 'compare')
    await waitFor(() =>
      expect(screen.getByRole('status').textContent).toBe("Differences can't be highlighted"),
    )
    expect(screen.queryByRole('button', { name: 'Differences' })).toBeNull()
    vi.doUnmock('./find-marks.ts')
  })

  test('shows the controls in the name of an item instead of applying them', async () => {
    const three = [{ ...items[0]!, name: 'atlas\u202e' }, items[1]!, { ...items[1]!, name: 'cedar' }]
    await show(three, 'compare')
    await waitFor(() =>
      expect(screen.getByRole('status').textContent).toBe('Differences from “atlas[RLO]” are highlighted'),
    )
  })

  test('has keys only for what it offers, and only the first one has keys', async () => {
    const capsIn = (tools: HTMLElement | undefined) =>
      [...tools!.querySelectorAll('kbd')].map((cap) => cap.textContent)
    await show(items.slice(0, 1), 'compare')
    expect([...activeShortcuts().keys()]).toEqual([])
    cleanup()
    const { rerender } = render(<Value value={items} hints={hintsOf(compareUi, 'field')} />)
    await screen.findAllByRole('heading', { level: 3 })
    const both = [items, items.toReversed()].map((value, n) => (
      <Value key={n} value={value} hints={hintsOf(compareUi, 'field')} />
    ))
    rerender(both)
    await waitFor(() => expect(heads()).toEqual(['atlas', 'birch', 'birch', 'atlas']))
    const tools = screen.getAllByRole('group', { name: 'Comparison tools' })
    expect(tools.map(capsIn)).toEqual([['D', 'B', 'W'], []])
    await userEvent.keyboard('w')
    expect(heads()).toEqual(['birch', 'atlas', 'birch', 'atlas'])
    rerender(both[1]!)
    await waitFor(() =>
      expect(capsIn(screen.getByRole('group', { name: 'Comparison tools' }))).toEqual(['D', 'B', 'W']),
    )
  })

  test('of an answered task cannot be swapped', async () => {
    const answered = { mayChange: false, order: [0, 1], isBlind: false, canPick: () => false }
    render(
      <ComparisonsContext value={() => answered as never}>
        <Value value={items} hints={hintsOf(compareUi, 'field')} field="field" />
      </ComparisonsContext>,
    )
    await screen.findAllByRole('heading', { level: 3 })
    expect(screen.queryByRole('button', { name: 'Swap sides' })).toBeNull()
    expect([...activeShortcuts().keys()]).toEqual(['d'])
  })

  test('swaps the sides', async () => {
    await show(items, 'compare')
    await userEvent.keyboard('w')
    expect(heads()).toEqual(['birch', 'atlas'])
  })

  test('hides everything that identifies the items, and shows it again', async () => {
    const shown = await show(items, 'compare')
    await userEvent.keyboard('b')
    expect(heads()).toEqual(['Item 1', 'Item 2'])
    expect(shown.textContent).not.toMatch(/atlas|birch|41|38/)
    expect(shown.textContent).toContain('1 more field is hidden while names are hidden.')
    await userEvent.keyboard('b')
    expect(heads().toSorted()).toEqual(['atlas', 'birch'])
  })

  test('with thousands of items shows the first ones and the number of all', async () => {
    const many = Array.from({ length: 10_000 }, (_, n) => ({ name: `n${n}`, response: 'x' }))
    await show(many, 'compare')
    expect(screen.getAllByRole('article')).toHaveLength(10)
    expect(screen.getByRole('button', { name: /Show 100 more of 10,000 items/ })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Hide names' })).toBeNull()
  })
})

describe('a picture', () => {
  const remote = 'https://cdn.example/p.jpg'

  test('is loaded only after a click', async () => {
    const shown = await show({ url: remote, alt: 'A boot' }, 'image')
    expect(shown.querySelector('img')).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Load image from cdn.example' }))
    const picture = screen.getByRole('img', { name: 'A boot' })
    expect([picture.getAttribute('src'), picture.getAttribute('referrerpolicy')]).toEqual([
      remote,
      'no-referrer',
    ])
    await userEvent.click(screen.getByRole('button', { name: 'Enlarge image: A boot' }))
    expect(screen.getByRole('button', { name: 'Shrink image: A boot' })).toBeTruthy()
  })

  test('is never loaded over plain HTTP or from a script URL', async () => {
    const insecure = await show('http://cdn.example/p.jpg', 'image')
    expect(screen.queryByRole('button')).toBeNull()
    expect(insecure.querySelector('img')).toBeNull()
    cleanup()
    for (const address of ['javascript:alert(1)', 'data:text/html,x', 'data:image/svg+xml,<svg/>', 'blob:x'])
      expect((await show(address, 'image')).textContent).toMatch(fallbackNotice)
  })

  test.each([
    { url: remote, src: 'https://cdn.example/q.jpg' },
    { url: remote, caption: { text: 'Left boot' } },
    { url: remote, alt: 'A boot', title: 'Boots', caption: 'Left boot' },
    { url: remote, size: 7 },
  ])('with something that would not be shown, %j, is shown as an object', async (value) => {
    expect((await show(value, 'image')).textContent).toMatch(fallbackNotice)
  })
})

test('an email that is too long to be formatted says that its source is shown', async () => {
  const shown = await show({ html: `<p>${'Boots '.repeat(40_000)}</p>` }, 'email')
  expect(shown.querySelector('iframe')).toBeNull()
  expect(shown.textContent).toContain('so its source is shown')
})

describe('a link', () => {
  test('shows the host it leads to, whatever its title says', async () => {
    const shown = await show({ url: 'https://evil.example/x', title: 'https://bank.example' }, 'link')
    expect(shown.textContent).toContain('evil.example')
    expect(shown.querySelector('a')?.outerHTML).toMatch(/target="_blank" rel="noopener noreferrer nofollow"/)
  })

  test('to an email address shows the address and all other recipients', async () => {
    const shown = await show({ url: 'mailto:eve@evil.example?cc=mal@evil.example', title: 'Support' }, 'link')
    expect(shown.textContent).toContain('eve@evil.example?cc=mal@evil.example')
  })

  test.each([
    { url: 'https://a.example/', href: 'https://b.example/' },
    { url: 'https://a.example/', title: 'One', label: 'Two' },
    { url: 'https://a.example/', title: { one: 'One' } },
  ])('is not made of %j, because it would hide a part', async (value) => {
    expect((await show(value, 'link')).textContent).toMatch(fallbackNotice)
  })

  test('may have no title', async () => {
    const shown = await show({ href: 'https://a.example/', title: null }, 'link')
    expect(shown.querySelector('a')?.textContent).toContain('https://a.example/')
  })

  test.each(['javascript:alert(1)', 'data:text/html,x', '/relative', 'nonsense'])(
    'is not made of %s',
    async (address) => {
      const shown = await show(address, 'link')
      expect(shown.querySelector('a')).toBeNull()
      expect(shown.textContent).toContain(address)
    },
  )
})

test('a change with two texts for one side is shown as an object', async () => {
  const shown = await show({ before: 'a', old: 'b', after: 'c' }, 'diff')
  expect(shown.textContent).toMatch(fallbackNotice)
})

test('a change is shown with its signs, one below the other or side by side', async () => {
  const shown = await show({ before: 'a\nb', after: 'a\nc' }, 'diff')
  expect(shown.querySelector('pre')?.textContent).toBe('  a\n− b\n+ c\n')
  await userEvent.click(screen.getByRole('button', { name: 'Side by side' }))
  expect(
    screen
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.textContent),
  ).toEqual(['  a  a', '− b+ c'])
})

test('a conversation shows the roles and folds tool calls', async () => {
  const shown = await show(
    [
      { role: 'user', content: 'Where is **it**?' },
      { role: 'assistant', content: null, tool_calls: [{ function: { name: 'find', arguments: '{}' } }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Lost.' },
          { type: 'tool_use', name: 'refund', input: { all: 1 } },
        ],
        cost: 3,
      },
    ],
    'chat',
  )
  expect(shown.textContent).toBe('UserWhere is it?AssistantCall: findAssistantLost.Call: refundCost')
  await userEvent.click(screen.getByRole('button', { name: 'Cost' }))
  expect(shown.textContent).toContain('Cost3')
})

test.each([
  ['12345678901234567890', '12345678901234567890'],
  ['{"id": 12345678901234567890}', '{"id": 12345678901234567890}'],
  ['{"id": 7, "rate": 1.50, "note": "12345678901234567890"}', 'Id7Rate1.5Note12345678901234567890'],
])('the result %s of a tool is shown with all digits', async (content, text) => {
  const shown = await show([{ role: 'tool', content }], 'chat')
  await userEvent.click(screen.getByRole('button', { name: 'Result' }))
  expect(shown.textContent).toBe(`ToolResult${text}`)
})

test('a name of a chat message that is not a text is shown folded', async () => {
  const shown = await show([{ role: 'user', name: { first: 'Ines' }, content: 'Hello' }], 'chat')
  expect(shown.textContent).toBe('UserHelloName')
})

test('a search in JSON shows the path of each match', async () => {
  await show(
    { orders: Array.from({ length: 60 }, (_, n) => ({ id: n, state: n === 41 ? 'lost' : 'sent' })) },
    'json',
  )
  await userEvent.type(screen.getByRole('searchbox'), 'lost')
  expect(screen.getByRole('status').textContent).toBe('1 result')
  expect(screen.getByRole('button', { name: 'Copy path orders[41].state' })).toBeTruthy()
})

test('a hidden value shows its size and can be expanded', async () => {
  const shown = await show({ trace: 'abc', span: 7 }, 'hidden')
  expect(shown.textContent).toBe('Show field hidden by the agent (2 fields)')
  await userEvent.click(screen.getByRole('button'))
  expect(shown.textContent).toContain('Traceabc')
})

test.each([
  ['number', 1234567.5, { 'ui:options': { currency: 'EUR' } }, '€1,234,567.50'],
  ['number', 5, { 'ui:options': { currency: 'usd' } }, '$5.00'],
  ['number', 5, { 'ui:options': { currency: '€', unit: 'per hour' } }, '5 € per hour'],
  ['number', '0.123456789012345', {}, '0.123456789012345'],
  ['number', '42', { 'ui:options': { unit: 'kg' } }, '42 kg'],
  ['progress', 64, {}, '64 %'],
  ['progress', { value: 3, max: 12 }, {}, '3 of 12'],
  ['badge', ['late', true], {}, 'lateYes'],
  ['date', '2021-03-04', {}, 'Thu, Mar 4, 2021'],
  ['keyvalue', { due: '2021-03-04' }, {}, 'DueThu, Mar 4, 2021'],
  ['keyvalue', { due: '2025-02-30', at: '2025-02-30T10:00:00Z' }, {}, 'Due2025-02-30At2025-02-30T10:00:00Z'],
  ['keyvalue', { a: { b: 1 } }, {}, 'AB1'],
])('%s of %j', async (widget, value, more, text) => {
  expect((await show(value, widget, more)).textContent).toBe(text)
})

test('a number with more digits than can be shown exactly is shown as it was sent', async () => {
  const shown = await show('12345678901234.567', 'number')
  expect(shown.textContent).toMatch(fallbackNotice)
  expect(shown.textContent).toContain('12345678901234.567')
})

test('progress with other fields is shown without the widget', async () => {
  const shown = await show({ value: 3, max: 12, label: 'Uploads' }, 'progress')
  expect(shown.textContent).toMatch(fallbackNotice)
  expect(shown.textContent).toContain('Uploads')
})

test('a name that is not a text is shown with the other fields of a compared item', async () => {
  const shown = await show(
    [
      { name: 4711, response: 'One' },
      { name: 'B', response: 'Two' },
    ],
    'compare',
  )
  expect(shown.textContent).toContain('Name4711')
})

test('a day that does not exist is shown as it was sent', async () => {
  const shown = await show('2025-02-30', 'date')
  expect(shown.textContent).toMatch(fallbackNotice)
  expect(shown.textContent).toContain('2025-02-30')
})

test('hints reach the fields of objects and the elements of lists', async () => {
  const shown = render(
    <Value
      value={{ order: { total: 5, lines: [7] } }}
      hints={hintsOf(
        {
          field: {
            order: {
              total: { 'ui:title': 'Sum', 'ui:widget': 'number', 'ui:options': { unit: 'pieces' } },
              lines: { items: { 'ui:widget': 'number', 'ui:options': { unit: 'kg' } } },
            },
          },
        },
        'field',
      )}
    />,
  ).container
  expect(shown.textContent).toContain('Sum5 pieces')
  expect(shown.textContent).toContain('7 kg')
})

// Last, because the announcement stays in the page.
test('a patch is copied as it was sent', async () => {
  const user = userEvent.setup()
  const patch = 'diff --git a/f b/f\nnew file mode 100644\n--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+x\n'
  await show(patch, 'diff')
  await user.click(screen.getByRole('button', { name: 'Copy changes' }))
  expect(await navigator.clipboard.readText()).toBe(patch)
})
