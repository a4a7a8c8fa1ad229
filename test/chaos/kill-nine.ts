import { setTimeout as sleep } from 'node:timers/promises'
import { taskPayload } from '../support/service.ts'
import { type Clients, workAsAgent, workAsPerson } from './clients.ts'
import { type Follower, followInbox } from './follower.ts'
import { startMortalService } from './mortal-service.ts'
import { setUp } from './set-up.ts'
import { nothingToldYet } from './told.ts'
import { judge, type Verdict } from './verdict.ts'

/** So many promises are given in a round, at least, before it ends in a crash. */
const promisesPerRound = 60

/**
 * Clients work and a reader follows the event stream, while the service is killed again and again, every other time
 * with its PostgreSQL. What each client was told is then compared with what is there.
 */
export async function killNine(rounds: number): Promise<Verdict> {
  const service = await startMortalService()
  try {
    const { agent, people } = await setUp(service)
    const [owner] = people
    const clients: Clients = { told: nothingToldYet(), openTasks: [], going: true }
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
      await service.killAndRestart(round % 2 === 0 ? 'service' : 'service and PostgreSQL')
    }
    clients.going = false
    await Promise.all(workers)

    const last = await agent().post('/tasks', taskPayload({}, { name: 'The last one' }))
    await Promise.all(followers.map((follower) => follower.endAfter(last.body.taskId)))
    return await judge({ told, followers, agent: agent(), lastTaskId: last.body.taskId })
  } finally {
    await service.end()
  }
}
