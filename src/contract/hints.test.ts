import { expect, test } from 'vitest'
import { contextWarnings } from './hints.ts'
import { contextWidgets } from './widget-values.ts'

const compare = {
  responses: {
    'ui:title': 'Responses',
    'ui:widget': 'compare',
    items: { response: { 'ui:widget': 'markdown' } },
  },
}

test('the hints of the comparison example give no warning', () => {
  const data = {
    responses: [
      { name: 'A', response: '# One' },
      { name: 'B', response: '# Two' },
    ],
  }
  expect(contextWarnings(data, compare)).toEqual([])
  expect(contextWarnings(data, undefined)).toEqual([])
  expect(contextWarnings({ responses: [] }, compare)).toEqual([])
})

test('an unknown widget and a hint for a missing field are reported with their paths', () => {
  const ui = {
    prompt: { 'ui:widget': 'constructor' },
    summary: { 'ui:title': 'Summary' },
    responses: { items: { answer: { 'ui:widget': 'markdown' }, name: { 'ui:widget': 'sparkle' } } },
  }
  const warnings = contextWarnings({ prompt: 'Hi', responses: [{ name: 'A' }] }, ui)
  expect(warnings.map(({ path }) => path)).toEqual([
    'context.ui.prompt["ui:widget"]',
    'context.ui.summary',
    'context.ui.responses.items.answer',
    'context.ui.responses.items.name["ui:widget"]',
  ])
})

test('a hint without its prefix is reported with the name that was meant', () => {
  const ui = { a: { widget: 'markdown', options: { digits: 2 } }, gone: { title: 'Gone' }, title: {} }
  expect(contextWarnings({ a: 'text' }, ui)).toEqual([
    { path: 'context.ui.a.widget', message: 'Unknown hint, so it is ignored. Did you mean "ui:widget"?' },
    { path: 'context.ui.a.options', message: 'Unknown hint, so it is ignored. Did you mean "ui:options"?' },
    { path: 'context.ui.gone', message: 'There is no such field in the data, so this hint is ignored.' },
    { path: 'context.ui.gone.title', message: 'Unknown hint, so it is ignored. Did you mean "ui:title"?' },
    { path: 'context.ui.title', message: 'There is no such field in the data, so this hint is ignored.' },
  ])
  // A field of the data may be named like a hint.
  expect(contextWarnings({ a: { widget: 1 } }, { a: { widget: { 'ui:title': 'Part' } } })).toEqual([])
})

test('the unknown widget of a missing field is reported together with the missing field', () => {
  const ui = { gone: { 'ui:widget': 'markdwon' }, list: { items: { text: { 'ui:widget': 'cod' } } } }
  expect(contextWarnings({ list: [] }, ui).map(({ path }) => path)).toEqual([
    'context.ui.gone',
    'context.ui.gone["ui:widget"]',
    'context.ui.list.items.text["ui:widget"]',
  ])
})

test('a widget that cannot show its value is reported, with what it requires', () => {
  const warned = (widget: string, value: unknown) =>
    contextWarnings({ field: value }, { field: { 'ui:widget': widget } }).map(({ message }) => message)
  expect(warned('compare', 'A or B')).toEqual([
    'The widget compare requires a list of objects, so the default is shown.',
  ])
  expect(warned('table', 7)).toEqual([
    'The widget table requires a list of objects or of lists, so the default is shown.',
  ])
  expect(warned('image', { width: 7 })).toEqual([
    'The widget image requires the URL of an image, an object with a url, or a list of these, so the default is shown.',
  ])
  // `href` is a name of links only, and `src` of images only.
  expect(warned('image', { href: 'https://example.com/a.png' })).toHaveLength(1)
  expect(warned('image', { src: 'https://example.com/a.png' })).toEqual([])
  expect(warned('link', { src: 'https://example.com' })).toHaveLength(1)
  expect(warned('link', { href: 'https://example.com' })).toEqual([])
  expect(
    contextWarnings(
      { list: [{ text: 'a' }, { text: 1 }] },
      { list: { items: { text: { 'ui:widget': 'text' } } } },
    ),
  ).toEqual([
    { path: 'context.ui.list.items.text["ui:widget"]', message: expect.stringContaining('requires text') },
  ])
  for (const widget of contextWidgets) expect(warned(widget, null), widget).toEqual([])
})

test('a field named like an inherited property is looked up in the data only', () => {
  expect(contextWarnings({}, { toString: {} })).toHaveLength(1)
})

test('many hints for a long list are checked quickly', () => {
  const item = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`f${index}`, 1]))
  const list = [...Array.from({ length: 50_000 }, () => ({})), item]
  const hints = Object.fromEntries(Object.keys(item).map((name) => [name, {}]))
  expect(contextWarnings({ list }, { list: { items: hints } })).toHaveLength(50)
})
