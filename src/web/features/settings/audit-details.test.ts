import { expect, test } from 'vitest'
import { describeDetails } from './audit-details.ts'

test.each([
  [{ was: 'member', is: 'admin' }, 'was member, is admin'],
  [{ was: null, is: 90 }, 'was none, is 90'],
  [{ noteId: 'not_1', to: 'usr_2' }, 'note not_1, to usr_2'],
  [{ noteId: 'not_1', to: null }, 'note not_1'],
  [{ contextSha256: '0123456789abcdef'.repeat(4) }, 'context 01234567…'],
])('the details %o read "%s"', (details, text) => {
  expect(describeDetails(details)).toBe(text)
})
