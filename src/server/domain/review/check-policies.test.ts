import { expect, test } from 'vitest'
import type { PolicySettings } from '../../storage/engine/workspace-tables.ts'
import type { MemberWithGroups } from '../../storage/review/members-with-groups.ts'
import { warnAboutPolicy } from './check-policies.ts'

const person = (userId: string, groups: string[], isVerified = true): MemberWithGroups => ({
  userId,
  role: 'member',
  isVerified,
  groups,
})
const people = [
  person('ana', ['grp_finance', 'grp_unproved']),
  person('ben', ['grp_finance']),
  person('cleo', []),
  person('dan', ['grp_unproved'], false),
]
const groups = [{ id: 'grp_finance' }, { id: 'grp_unproved' }, { id: 'grp_empty' }]
const warn = (policy: PolicySettings) => warnAboutPolicy(policy, people, groups)

test('a policy that enough people can satisfy has no warning', () => {
  for (const policy of [{}, { by: ['grp_finance'] }, { needed: 2 }, { assignTo: 'ana' }])
    expect(warn(policy)).toEqual([])
})

test('a warning says that too few people can answer', () => {
  expect(warn({ by: ['grp_empty'] })).toEqual(['Nobody can answer, so new tasks are refused.'])
  expect(warn({ by: ['grp_finance'], needed: 3 })).toEqual([
    'Only 2 people can answer and 3 must agree, so new tasks are refused.',
  ])
  // A person who is named twice counts once.
  expect(warn({ by: ['grp_finance', 'ana'], needed: 3 })[0]).toContain('Only 2 people')
  // Somebody who has left does not count.
  expect(warn({ by: ['ana', 'usr_left'], needed: 2 })[0]).toContain('Only 1 person can answer and 2 must')
  expect(warn({ by: ['grp_unproved'], needed: 2 })).toEqual([
    'Only 1 person can answer and 2 must agree, so new tasks are refused. People whose email address is not verified do not count.',
  ])
  expect(warn({ by: ['dan'] })).toEqual([])
  expect(warn({ by: ['dan'], requesterMayAnswer: false })[0]).toContain('is not verified do not count')
})

test('a warning says that nobody may be absent', () => {
  expect(warn({ by: ['grp_finance'], needed: 2 })).toEqual([
    'Only 2 people can answer, so one absence blocks a task, and a task that one of them sends is refused.',
  ])
  expect(warn({ by: ['ana'], requesterMayAnswer: false })[0]).toContain('a task that they send')
})

test('a warning names the assignee or the escalation step whose person has left', () => {
  const escalate = [
    { afterMinutes: 10, to: 'grp_finance' },
    { afterMinutes: 20, to: 'usr_left' },
  ]
  expect(warn({ assignTo: 'usr_left', escalate })).toEqual([
    'The assignee has left the workspace, so tasks are assigned to nobody.',
    'The person in escalation step 2 has left the workspace, so the step does not change the assignee.',
  ])
})
