import { fireEvent, render, screen } from '@testing-library/react'
import { createRef } from 'react'
import { expect, test, vi } from 'vitest'
import SchemaForm, { type FormHandle } from './schema-form.tsx'

vi.mock('./check-in-worker.ts', () => ({ startChecker: () => undefined, checkInWorker: async () => [] }))

function field(schema: object, widget?: string) {
  const handle = createRef<FormHandle>()
  render(
    <SchemaForm
      schema={{ type: 'object', properties: { n: { title: 'N', ...schema } } }}
      ui={{ n: { 'ui:widget': widget } }}
      context={undefined}
      handle={handle}
    />,
  )
  return async () => (await handle.current!.check()).data
}

test.each([
  [{ type: 'integer' }, ['0', '100', '1']],
  [{ type: 'integer', minimum: 1, maximum: 24, multipleOf: 5 }, ['5', '20', '5']],
  [{ type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 10 }, ['1', '9', '1']],
  [{ type: 'integer', exclusiveMinimum: 0, maximum: 50, multipleOf: 10 }, ['10', '50', '10']],
  [{ type: 'number', minimum: 1.1, exclusiveMaximum: 1.5, multipleOf: 0.1 }, ['1.1', '1.4', '0.1']],
  [{ type: 'number', minimum: 0.25, maximum: 0.75 }, ['0.25', '0.75', 'any']],
  [{ type: 'integer', minimum: 200 }, ['200', '300', '1']],
  [{ type: 'integer', maximum: -50 }, ['-150', '-50', '1']],
])('a slider offers the numbers that the schema allows: %o', (schema, attributes) => {
  field(schema, 'range')
  const slider = screen.getByRole('slider')
  expect(['min', 'max', 'step'].map((name) => slider.getAttribute(name))).toEqual(attributes)
})

test.each([
  [{ type: 'integer' }, [1, 2, 3, 4, 5]],
  [{ type: 'integer', minimum: 3 }, [3, 4, 5, 6, 7]],
  [{ type: 'integer', maximum: 3 }, [1, 2, 3]],
  [{ type: 'integer', maximum: 0 }, [-4, -3, -2, -1, 0]],
])('a rating offers the numbers from 1 where the schema allows them: %o', (schema, ratings) => {
  field(schema, 'rating')
  expect(screen.getAllByRole('radio').map((radio) => radio.parentElement?.textContent)).toEqual(
    ratings.map(String),
  )
})

test.each([
  ['a click', (slider: HTMLElement) => fireEvent.pointerUp(slider)],
  ['a key', (slider: HTMLElement) => fireEvent.keyUp(slider, { key: 'Home' })],
])('%s sets a slider to its minimum, where it is shown while it is not set', async (_, press) => {
  const data = field({ type: 'integer', minimum: 3, maximum: 9 }, 'range')
  const slider = screen.getByRole('slider')
  fireEvent.keyUp(slider, { key: 'Tab' })
  expect(slider.getAttribute('aria-valuetext')).toBe('Not set')
  expect(await data()).toEqual({})
  press(slider)
  expect(slider.getAttribute('aria-valuetext')).toBeNull()
  expect(await data()).toEqual({ n: 3 })
})

test.each([
  [{ type: 'integer' }, null],
  [{ type: 'number', minimum: -5 }, null],
  [{ type: 'integer', minimum: 0 }, 'numeric'],
  [{ type: 'number', exclusiveMinimum: 0 }, 'decimal'],
])('a field of numbers has a keyboard without a minus sign only if none is needed: %o', (schema, mode) => {
  field(schema)
  expect(screen.getByRole('textbox').getAttribute('inputmode')).toBe(mode)
})
