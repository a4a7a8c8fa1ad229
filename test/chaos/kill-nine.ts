import { setTimeout as sleep } from 'node:timers/promises'
import { startReceiver } from '../support/receiver.ts'
import { taskPayload } from '../support/service.ts'
import { createAcknowledged } from './acknowledged.ts'
import { type Clients, workAsAgent, workAsPerson } from './clients.ts'
import { type Follower, followInbox } from './follower.ts'
import { startKillableNodes } from './killable-nodes.ts'
import { startKillableService } from './killable-service.ts'
import { type Reachable, setUp } from './set-up.ts'
import { checkDeliveries, checkPromises, readAllTasks, type Verdict } from './verdict.ts'

/** The minimum number of acknowledged calls per round before it ends in a crash. */
const callsPerRound = 60

/** One service, killed repeatedly, every other time together with its PostgreSQL. */
export async function killNine(rounds: number): Promise<Verdict> {
  const service = await startKillableService()
  try {
    return await crashUnderLoad(service, rounds, (round) =>
      service.killAndRestart(round % 2 === 0 ? 'service and PostgreSQL' : 'service'),
    )
  } finally {
    await service.end()
  }
}

/** Two nodes on one database, killed alternately. Answers are also sent to callbacks. */
export async function killNodesInTurn(rounds: number): Promise<Verdict> {
  const receiver = await startReceiver()
  const nodes = await startKillableNodes({ CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' })
  try {
    const kill = (round: number) => nodes.killAndRestart(round % 2)
    const { databaseUrl } = nodes
    return await crashUnderLoad(nodes, rounds, kill, { receiver, databaseUrl })
  } finally {
    await nodes.end()
    await receiver.stop()
  }
}

/**
 * Clients work and readers follow the event stream through the crashes. What they received is then
 * compared with the database.
 */
async function crashUnderLoad(
  service: Reachable,
  rounds: number,
  kill: (round: number) => Promise<void>,
  callbacks?: { receiver: Awaited<ReturnType<typeof startReceiver>>; databaseUrl: string },
): Promise<Verdict> {
  const { agent, people } = await setUp(service)
  const [owner] = people
  const clients: Clients = {
    acknowledged: createAcknowledged(),
    openTasks: [],
    isRunning: true,
    ...(callbacks && { callbackUrl: `${callbacks.receiver.url}/hook` }),
  }
  const { acknowledged } = clients
  const count = () =>
    acknowledged.created.length +
    acknowledged.handled.length +
    acknowledged.cancelled.length +
    acknowledged.updated.length
  // The first reads from the beginning; in each round another one opens the inbox and follows it
  // from there.
  const followers: Follower[] = [followInbox(service.url, owner, '0.0.0')]
  const workers = [
    ...['Ada', 'Bob', 'Cleo'].map((sender) => workAsAgent(clients, sender, agent)),
    ...people.map((person) => workAsPerson(clients, person.name, person.caller)),
  ]
  for (let round = 0; round < rounds; round++) {
    const before = count()
    while (count() < before + callsPerRound) await sleep(10)
    await sleep(Math.random() * 200)
    const inbox = await owner.caller().get('/inbox?limit=1')
    followers.push(followInbox(service.url, owner, inbox.body.eventCursor))
    // Sometimes immediately, before that page's event cursor can have reached the disk.
    await sleep(round % 4 < 2 ? 0 : Math.random() * 100)
    await kill(round)
    if (rounds > 5) console.log(`crash ${round + 1} of ${rounds}: ${count()} calls acknowledged so far`)
  }
  clients.isRunning = false
  await Promise.all(workers)

  const last = await agent().post('/tasks', taskPayload({}, { name: 'The last one' }))
  await Promise.all(followers.map((follower) => follower.endAfter(last.body.taskId)))
  const verdict = await checkPromises({
    acknowledged,
    followers,
    agent: agent(),
    lastTaskId: last.body.taskId,
  })
  const startOvers = followers.filter((follower) => follower.startOvers() > 0).length
  if (startOvers > 0) verdict.broken.push(`${startOvers} readers received start-over`)
  if (callbacks) {
    const { receiver, databaseUrl } = callbacks
    verdict.broken.push(
      ...(await checkDeliveries(await readAllTasks(agent()), receiver.received, databaseUrl)),
    )
  }
  return verdict
}
