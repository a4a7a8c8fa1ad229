import { setTimeout as sleep } from 'node:timers/promises'
import { startReceiver } from '../support/receiver.ts'
import { taskPayload } from '../support/service.ts'
import { nothingToldYet } from './acknowledged.ts'
import { type Clients, workAsAgent, workAsPerson } from './clients.ts'
import { type Follower, followInbox } from './follower.ts'
import { startMortalNodes } from './mortal-nodes.ts'
import { startMortalService } from './mortal-service.ts'
import { type Reachable, setUp } from './set-up.ts'
import { judge, judgeDeliveries, readAll, type Verdict } from './verdict.ts'

/** So many promises are given in a round, at least, before it ends in a crash. */
const promisesPerRound = 60

/** One service, killed again and again, every other time with its PostgreSQL. */
export async function killNine(rounds: number): Promise<Verdict> {
  const service = await startMortalService()
  try {
    return await crashUnderLoad(service, rounds, (round) =>
      service.killAndRestart(round % 2 === 0 ? 'service' : 'service and PostgreSQL'),
    )
  } finally {
    await service.end()
  }
}

/** Two nodes on one database, killed in turn. Answers are called back, too. */
export async function killNodesInTurn(rounds: number): Promise<Verdict> {
  const receiver = await startReceiver()
  const nodes = await startMortalNodes({ CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' })
  try {
    const kill = (round: number) => nodes.killAndRestart(round % 2)
    const { databaseUrl } = nodes
    return await crashUnderLoad(nodes, rounds, kill, { receiver, databaseUrl })
  } finally {
    await nodes.end()
    await receiver.stop()
  }
}

/** Clients work and readers follow the event stream through the crashes. What each was told is then compared with what is there. */
async function crashUnderLoad(
  service: Reachable,
  rounds: number,
  kill: (round: number) => Promise<void>,
  called?: { receiver: Awaited<ReturnType<typeof startReceiver>>; databaseUrl: string },
): Promise<Verdict> {
  const { agent, people } = await setUp(service)
  const [owner] = people
  const clients: Clients = {
    told: nothingToldYet(),
    openTasks: [],
    going: true,
    ...(called && { callbackUrl: `${called.receiver.url}/hook` }),
  }
  const { told } = clients
  const promises = () =>
    told.created.length + told.handled.length + told.cancelled.length + told.updated.length
  // The first reads from the beginning; in each round somebody opens the inbox and follows it from there.
  const followers: Follower[] = [followInbox(service.url, owner, '0.0.0')]
  const workers = [
    ...['Ada', 'Bob', 'Cleo'].map((sender) => workAsAgent(clients, sender, agent)),
    ...people.map((person) => workAsPerson(clients, person.name, person.caller)),
  ]
  for (let round = 0; round < rounds; round++) {
    const before = promises()
    while (promises() < before + promisesPerRound) await sleep(10)
    await sleep(Math.random() * 200)
    const inbox = await owner.caller().get('/inbox?limit=1')
    followers.push(followInbox(service.url, owner, inbox.body.eventCursor))
    // Sometimes at once, before that page's place in the log can have reached the disk.
    await sleep(round % 4 < 2 ? 0 : Math.random() * 100)
    await kill(round)
    if (rounds > 5) console.log(`crash ${round + 1} of ${rounds}: ${promises()} promises so far`)
  }
  clients.going = false
  await Promise.all(workers)

  const last = await agent().post('/tasks', taskPayload({}, { name: 'The last one' }))
  await Promise.all(followers.map((follower) => follower.endAfter(last.body.taskId)))
  const verdict = await judge({ told, followers, agent: agent(), lastTaskId: last.body.taskId })
  const startOvers = followers.filter((follower) => follower.startOvers() > 0).length
  if (startOvers > 0) verdict.broken.push(`${startOvers} readers were told to start over`)
  if (called) {
    const { receiver, databaseUrl } = called
    verdict.broken.push(...(await judgeDeliveries(await readAll(agent()), receiver.received, databaseUrl)))
  }
  return verdict
}
