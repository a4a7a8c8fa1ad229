import { expect, test } from 'vitest'
import { limits } from '../../../contract/limits.ts'
import { describeRule } from './describe-rule.ts'

test('a long name is cut between characters, so that it can be sent as it was suggested', () => {
  const name = describeRule(`${'a'.repeat(limits.ruleName - 2)}😀`, 'refund', [])
  expect(name).toBe(`${'a'.repeat(limits.ruleName - 2)}…`)
})
