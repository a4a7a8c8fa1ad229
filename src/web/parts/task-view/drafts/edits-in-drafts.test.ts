import { expect, test } from 'vitest'
import type { Action } from '../../../../contract/action.ts'
import { editsInDrafts } from './edits-in-drafts.ts'

const action = (id: string): Action => ({
  id,
  title: id,
  schema: { type: 'object', properties: { mail: { type: 'string' } } },
  ui: { mail: { 'ui:options': { prefill: 'mail' } } },
})
const draft = (actionId: string, mail: string, updatedAt: string) => ({
  actionId,
  data: { mail },
  revision: 1,
  updatedAt,
})

test('of two edits of one text, the last draft counts, whatever its clock says', () => {
  const actions = [action('send'), action('refund'), action('close')]
  const drafts = [
    draft('send', 'older', '2026-11-18T10:05:00.000Z'),
    draft('refund', 'newer', '2026-11-18T10:00:00.000Z'),
  ]
  const edits = editsInDrafts(actions[2]!, actions, drafts, { mail: 'as sent' })
  expect([...edits!]).toEqual([['mail', 'newer']])
})
