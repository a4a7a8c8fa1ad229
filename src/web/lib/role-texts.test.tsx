import { expect, test } from 'vitest'
import { describeRoleChange } from './role-texts.ts'

test.each([
  ['member', 'admin', [/^Can also invite and remove members/]],
  ['member', 'owner', [/^Can also invite and remove members/, /Can also assign roles/]],
  ['admin', 'owner', [/^Can also assign roles/]],
  ['owner', 'admin', [/^Can no longer assign roles/]],
  ['admin', 'member', [/^Can no longer invite and remove members/]],
  ['owner', 'member', [/^Can no longer invite and remove members/, /Can no longer assign roles/]],
] as const)('from %s to %s, it says exactly what changes', (from, to, expected) => {
  const text = describeRoleChange(from, to)
  for (const pattern of expected) expect(text).toMatch(pattern)
  expect(text.match(/Can /g)).toHaveLength(expected.length)
})
