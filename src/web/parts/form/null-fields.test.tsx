import { render } from '@testing-library/react'
import { createRef } from 'react'
import { expect, test, vi } from 'vitest'
import SchemaForm, { type FormHandle } from './schema-form.tsx'

vi.mock('./check-in-worker.ts', () => ({ startChecker: () => undefined, checkInWorker: async () => [] }))

const withNull = { type: 'object', title: 'None', properties: { no: { type: 'null' } } }

test.each([
  [{ no: { type: 'null' } }, { no: null }],
  [{ group: withNull }, { group: { no: null } }],
  [{ choice: { oneOf: [withNull, { type: 'string' }] } }, { choice: { no: null } }],
])('a null that the form fills in itself is no draft: %j', async (properties, data) => {
  const handle = createRef<FormHandle>()
  const onChange = vi.fn()
  const schema = { type: 'object', properties }
  render(
    <SchemaForm schema={schema} ui={undefined} context={undefined} onChange={onChange} handle={handle} />,
  )
  await vi.waitFor(async () => expect((await handle.current!.check()).data).toEqual(data))
  expect(onChange).not.toHaveBeenCalled()
})
