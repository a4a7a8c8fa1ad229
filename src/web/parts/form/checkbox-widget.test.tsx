import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createRef } from 'react'
import { expect, test, vi } from 'vitest'
import SchemaForm, { type FormHandle } from './schema-form.tsx'

vi.mock('./check-in-worker.ts', () => ({ startChecker: () => undefined, checkInWorker: async () => [] }))

function showField(field: object, widget: string, required: string[]) {
  const handle = createRef<FormHandle>()
  render(
    <SchemaForm
      schema={{ type: 'object', required, properties: { refund: { type: 'boolean', ...field } } }}
      ui={{ refund: { 'ui:widget': widget } }}
      context={undefined}
      handle={handle}
    />,
  )
  return async () => (await handle.current!.check()).data
}

test.each(['toggle', 'checkbox'])(
  'a required boolean without a default is two radio buttons, not a %s',
  async (widget) => {
    const answer = showField({}, widget, ['refund'])
    expect(screen.queryByRole(widget === 'toggle' ? 'switch' : 'checkbox')).toBeNull()
    expect(await answer()).toEqual({})
    await userEvent.click(screen.getByRole('radio', { name: /No/ }))
    expect(await answer()).toEqual({ refund: false })
  },
)

test('a switch that shows a default, or is optional, stays a switch', async () => {
  const answer = showField({ default: false }, 'toggle', ['refund'])
  expect(screen.getByRole<HTMLInputElement>('switch').checked).toBe(false)
  expect(await answer()).toEqual({ refund: false })
  cleanup()
  showField({}, 'toggle', [])
  expect(screen.getByRole<HTMLInputElement>('switch').checked).toBe(false)
})
