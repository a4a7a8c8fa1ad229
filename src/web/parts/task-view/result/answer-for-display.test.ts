import { expect, test } from 'vitest'
import { answerForDisplay } from './answer-for-display.ts'

const form = (properties: object, keywords: object = {}) => ({
  id: 'send',
  title: 'Send it',
  schema: { type: 'object', properties, ...keywords },
})

test('chosen values are shown with their labels and fields with their titles', () => {
  const action = form(
    {
      reason: { title: 'Why', enum: ['late', 'lost'], enumNames: ['Too late', 'Lost it'] },
      tone: {
        oneOf: [
          { const: 'w', title: 'Warm' },
          { const: 'c', title: 'Cool' },
        ],
      },
      ship: { type: 'boolean', enumNames: ['Go', 'Hold'] },
      tags: { type: 'array', items: { $ref: '#/$defs/tag' } },
      note: { type: 'string' },
    },
    { $defs: { tag: { enum: ['a', 'b'], enumNames: ['Alpha', 'Beta'] } } },
  )
  const data = { reason: 'lost', tone: 'w', ship: false, tags: ['b'], note: 'lost' }
  const { value, ui } = answerForDisplay(action, data)
  expect(value).toEqual({ reason: 'Lost it', tone: 'Warm', ship: 'Hold', tags: ['Beta'], note: 'lost' })
  expect(ui).toEqual({ reason: { 'ui:title': 'Why' }, tone: {}, ship: {}, tags: {}, note: {} })
})

test('an object that looks like an email uses the email widget at any depth', () => {
  const mail = { subject: 'Your parcel', body: 'Hello,\n\nit is on its way.' }
  expect(answerForDisplay(undefined, mail).ui).toMatchObject({ 'ui:widget': 'email' })
  expect(answerForDisplay(undefined, { reply: mail }).ui).toMatchObject({ reply: { 'ui:widget': 'email' } })
  expect(answerForDisplay(undefined, { body: 'no header' }).ui).not.toHaveProperty('ui:widget')
  const widgetOfItems = (list: unknown[]) => answerForDisplay(undefined, { list }).ui
  expect(widgetOfItems([mail, mail])).toMatchObject({ list: { items: { 'ui:widget': 'email' } } })
  expect(widgetOfItems([mail, { to: 'x@acme.example' }])).toEqual({
    list: { items: { subject: {}, body: {}, to: {} } },
  })
})
