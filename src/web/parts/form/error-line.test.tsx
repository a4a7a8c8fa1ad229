import { expect, test } from 'vitest'
import { Violations } from '../../../contract/violation.ts'
import { describeErrors } from './error-line.tsx'

test.each([
  [1, '1 field needs your attention'],
  [2, '2 fields need your attention'],
  [60, '49 or more fields need your attention'],
])('of %i invalid fields, the line says how many are known', (count, text) => {
  const form = document.createElement('div')
  form.innerHTML = '<div class="form-field"><input aria-invalid="true"></div>'
  const errors = new Violations()
  for (let n = 0; n < count; n++) errors.add(`items[${n}]`, 'Must be at least 3 characters.')
  expect(describeErrors(form, errors.list, true)?.text).toBe(text)
})
