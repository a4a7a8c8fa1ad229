import type { Caller, TestResponse } from '../../support/http.ts'
import { agentAt, personAt } from '../../support/nodes.ts'
import type { startReceiver } from '../../support/receiver.ts'
import type { TestWorkspace } from '../../support/service.ts'
import type { ModelTask } from './model.ts'

export type Person = { name: string; email: string; cookie: string }

/** The service under test: one workspace, two nodes, two people and an agent. */
export type World = {
  databaseUrl: string
  workspace: TestWorkspace
  people: [Person, Person]
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
  const mara = await workspace.person('member', 'Mara Member')
  const people: World['people'] = [
    { name: 'Olga Owner', email: workspace.ownerEmail, cookie: workspace.owner.cookie },
    { name: 'Mara Member', email: mara.email, cookie: mara.cookie },
  ]
  return {
    ...place,
    people,
    agent: (node) => agentAt(urls[node]!, workspace),
    person: (node, who) => personAt(urls[node]!, workspace, people[who]!),
    waits: [],
  }
}
