import { expect } from 'vitest'
import type { Caller, TestResponse } from '../../support/http.ts'
import { agentAt, personAt } from '../../support/nodes.ts'
import type { startReceiver } from '../../support/receiver.ts'
import type { TestWorkspace } from '../../support/service.ts'
import type { ModelTask } from './model.ts'

export type Person = { name: string; email: string; cookie: string; isAdmin: boolean }

/** The service under test: one workspace, two nodes, four people and an agent. */
export type World = {
  databaseUrl: string
  workspace: TestWorkspace
  people: [Person, Person, Person, Person]
  /** Who may answer tasks of the type `payment`. */
  groupId: string
  receiver: Awaited<ReturnType<typeof startReceiver>>
  agent(node: number): Caller
  person(node: number, who: number): Caller
  /** Calls that wait for the end of a task. */
  waits: { task: ModelTask; answer: Promise<TestResponse> }[]
}

export async function makeWorld(place: {
  urls: [string, string]
  databaseUrl: string
  workspace: TestWorkspace
  receiver: World['receiver']
}): Promise<World> {
  const { urls, workspace } = place
  const join = async (role: 'member' | 'admin', name: string): Promise<Person> => {
    const { email, cookie } = await workspace.person(role, name)
    return { name, email, cookie, isAdmin: role === 'admin' }
  }
  const { ownerEmail: email, owner } = workspace
  const people: World['people'] = [
    { name: 'Olga Owner', email, cookie: owner.cookie, isAdmin: true },
    await join('member', 'Mara Member'),
    await join('member', 'Nils Member'),
    await join('admin', 'Ada Admin'),
  ]
  const { groupId } = (await owner.post('/groups', { slug: 'desk', members: startingGroup(people) })).body
  const escalate = [{ afterMinutes: stepMinutes, to: leadOf(people).email, raisePriority: true }]
  const policy = await owner.post('/policies', { type: 'payment', by: ['group:desk'], escalate })
  expect(policy.status).toBe(201)
  return {
    ...place,
    people,
    groupId,
    agent: (node) => agentAt(urls[node]!, workspace),
    person: (node, who) => personAt(urls[node]!, workspace, people[who]!),
    waits: [],
  }
}

export const stepMinutes = 30

/** Tasks without an answer are handed to them. */
export function leadOf(people: World['people']): Person {
  return people[3]
}

/** Their email addresses. */
export function startingGroup([, mara, nils]: World['people']): string[] {
  return [mara.email, nils.email]
}
