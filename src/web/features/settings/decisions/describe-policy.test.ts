import { expect, test } from 'vitest'
import { describePolicy, describeTasks } from './describe-policy.ts'

const person = (name: string, emailVerified = true) => ({ name, email: `${name}@x.example`, emailVerified })
const members = [person('ana'), person('ben'), person('cleo'), person('dan', false)]
const groups = [{ slug: 'finance', name: 'Finance', members: ['ana@x.example', 'ben@x.example'] }]
const says = (policy: Parameters<typeof describePolicy>[0]) => describePolicy(policy, members, groups)

test('the tasks of a policy are named by app, type, or both', () => {
  expect(describeTasks({ app: 'bank', type: 'wire' })).toBe('Tasks of app bank and type wire')
  expect(describeTasks({ type: 'wire' })).toBe('Tasks of type wire')
  expect(describeTasks({})).toBe('Tasks')
})

test('a policy says who may answer, how many must agree, and what “Reject” and “Mark done” do', () => {
  expect(says({})).toBe('Every member may answer. One answer is enough.')
  expect(says({ by: ['group:finance', 'cleo@x.example'], needed: 2, onDecline: 'end' })).toBe(
    'Only Finance and cleo may answer. 2 people must give the same answer; one “Reject” or “Mark done” ends the task. The people behind the task and people with an unverified address may not answer.',
  )
  expect(says({ needed: 3 })).toContain(
    'one “Reject” or “Mark done” ends the task unless the sender asks otherwise.',
  )
  expect(says({ onDecline: 'collect', requesterMayAnswer: false })).toBe(
    'Every member may answer. One answer is enough. If the sender asks for several answers, “Reject” and “Mark done” count like other answers. The people behind the task and people with an unverified address may not answer.',
  )
  expect(says({ doubleReviewShare: 0.07 })).toContain('7\u00a0% of the tasks are answered by two people')
  expect(says({ by: [] })).toContain('Nobody may answer.')
  expect(says({ linkOnly: true })).toContain('Tasks are not answered in Slack.')
})

test('a policy says by when, and what happens otherwise', () => {
  const escalate = [
    { afterMinutes: 90, to: 'cleo@x.example' },
    { afterMinutes: 1_440, to: 'group:finance', raisePriority: true },
  ]
  expect(says({ assignTo: 'ana@x.example', answerWithinMinutes: 60, remindAfterMinutes: 1, escalate })).toBe(
    'Every member may answer. One answer is enough. Tasks are assigned to ana. Tasks are late after 1 hour. A reminder follows after 1 minute. After 90 minutes the task goes to cleo. After 1 day the task goes to Finance, and its priority rises.',
  )
  expect(says({ by: ['ana@x.example'], escalate })).toContain(
    'After 90 minutes the task goes to cleo, who may then answer too. After 1 day the task goes to Finance, who may then answer too, and its priority rises.',
  )
  expect(says({ escalate: [{ afterMinutes: 5 }] })).toContain('After 5 minutes the task is not reassigned.')
  expect(says({ escalate: [{ afterMinutes: 5, raisePriority: true }] })).toContain(
    'After 5 minutes the task is not reassigned, but its priority rises.',
  )
})
