import { setTimeout as sleep } from 'node:timers/promises'
import { vi } from 'vitest'
import { startNodes, stopNodes } from '../support/nodes.ts'
import { taskPayload } from '../support/service.ts'
import { query } from '../support/sql.ts'
import { nothingToldYet, type Told } from './acknowledged.ts'
import { type Clients, workAsAgent, workAsPerson } from './clients.ts'
import { type Follower, followInbox } from './follower.ts'
import { openInboxPage } from './inbox-page.ts'
import { type Cluster, startCluster } from './patroni-cluster.ts'
import { type Reachable, setUp } from './set-up.ts'
import { judge, lostOf, readAll } from './verdict.ts'

const acknowledgedBefore = 300
const acknowledgedAfter = 200
/** In asynchronous mode: acknowledged while the standby receives nothing. */
const acknowledgedWithoutStandby = 60
const patience = { timeout: 30_000, interval: 20 }

export type FailoverMode = 'synchronous' | 'asynchronous'

/** kill -9 of the leader of two PostgreSQL servers under Patroni, while clients work with two nodes in front of them. */
export async function failOver(mode: FailoverMode) {
  const cluster = await startCluster(mode === 'synchronous')
  try {
    const nodes = await startNodes(cluster.url, 2)
    let turn = 0
    const service = { url: () => nodes[turn++ % 2]!.url, output: () => nodes[0]!.output() }
    try {
      return await workThroughFailover(mode, cluster, service)
    } finally {
      await stopNodes(nodes)
    }
  } finally {
    await cluster.end()
  }
}

async function workThroughFailover(mode: FailoverMode, cluster: Cluster, service: Reachable) {
  const { agent, people } = await setUp(service)
  const [owner] = people
  const clients: Clients = { told: nothingToldYet(), openTasks: [], going: true }
  const { told } = clients
  const open = followInbox(service.url, owner, '0.0.0')
  const reconnecting = followInbox(service.url, owner, '0.0.0', 300)
  const page = openInboxPage(service.url, owner)
  try {
    const workers = [
      ...['Ada', 'Bob', 'Cleo'].map((sender) => workAsAgent(clients, sender, agent)),
      ...people.map((person) => workAsPerson(clients, person.name, person.caller)),
    ]
    const outage = watchForOutage(told)
    await untilAcknowledged(told, acknowledgedBefore)
    const replicated = structuredClone(told)
    await cluster.catchUp()
    const timelineBefore = await cluster.first.timeline()

    // A Patroni that sees the standby go would let writes go on without it.
    if (mode === 'synchronous') cluster.first.killPatroni()
    await cluster.first.line.cut()
    let commitsHeldBack = 0
    if (mode === 'asynchronous') await untilAcknowledged(told, acknowledgedWithoutStandby)
    else commitsHeldBack = await vi.waitUntil(() => commitsWaitingForStandby(cluster.first.url), patience)
    const acknowledgedAtKill = countOf(told)
    cluster.first.killPatroni()
    await cluster.first.killPostgres()

    await cluster.second.becomes('primary')
    await untilAcknowledged(told, acknowledgedAfter)
    clients.going = false
    await Promise.all(workers)

    const { taskId: last } = (await agent().post('/tasks', taskPayload({}, { name: 'The last one' }))).body
    await Promise.all([open.endAfter(last), reconnecting.endAfter(last)])
    await vi.waitUntil(() => page.hasSeen(last), patience)
    const log = await readLog(cluster.second.url)
    const records = await readAll(agent())
    const lost = lostOf(told, records)
    return {
      figures: {
        mode,
        timelines: [timelineBefore, await cluster.second.timeline()],
        acknowledged: countOf(told),
        acknowledgedSinceCut: acknowledgedAtKill - countOf(replicated),
        commitsHeldBack,
        lost: lost.length,
        secondsWithoutAcknowledgement: outage.longestSeconds(),
        events: {
          inPromotedLog: log.length,
          seenByOpenStream: open.seen().length,
          seenByReconnectingStream: reconnecting.seen().length,
          seenAndLost: open.seen().filter(({ event }) => !log.includes(event.eventId)).length,
        },
        connections: [open.connections(), reconnecting.connections()],
        startOvers: [open.startOvers(), reconnecting.startOvers(), page.startOvers()],
      },
      lost,
      lostThoughReplicated: lostOf(replicated, records),
      odd: told.odd,
      names: [...records.values()].map(({ name }) => name),
      log,
      streams: [open, reconnecting].map((follower) => compareWithLog(follower, log)),
      shownAsOpen: page.openTasks(),
      openInRecord: [...records.values()]
        .filter(({ status }) => status === 'open')
        .map(({ taskId }) => taskId),
      verdict: await judge({ told, followers: [open, reconnecting], agent: agent(), lastTaskId: last }),
    }
  } finally {
    clients.going = false
    await Promise.all([open.end(), reconnecting.end(), page.close()])
  }
}

/** What a reader that began with the first event has seen, beside the log of the promoted server. */
function compareWithLog(follower: Follower, log: string[]) {
  const inLog = new Set(log)
  const received = follower.received()
  const lastStartOver = received.findLastIndex(({ name }) => name === 'start-over')
  const idsOf = (events: typeof received) =>
    events.filter(({ name }) => name === 'inbox').map(({ event }) => event.eventId)
  return {
    /** In the order in which they came. */
    seenOfLog: idsOf(received).filter((eventId) => inLog.has(eventId)),
    /** The reader would not learn that these are gone. */
    goneAfterStartOver: idsOf(received.slice(lastStartOver + 1)).filter((eventId) => !inLog.has(eventId)),
  }
}

async function readLog(serverUrl: string): Promise<string[]> {
  const rows = await query<{ event_id: string }>(
    databaseOf(serverUrl),
    'SELECT event_id FROM events ORDER BY epoch, xid, id',
  )
  return rows.map(({ event_id }) => event_id)
}

async function commitsWaitingForStandby(serverUrl: string): Promise<number> {
  const [row] = await query<{ count: number }>(
    serverUrl,
    `SELECT count(*)::integer AS count FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND datname = 'handrail'`,
  )
  return row!.count
}

function databaseOf(serverUrl: string): string {
  return new URL('/handrail', serverUrl).href
}

function countOf({ created, handled, cancelled, updated }: Told): number {
  return created.length + handled.length + cancelled.length + updated.length
}

async function untilAcknowledged(told: Told, more: number): Promise<void> {
  const end = countOf(told) + more
  const deadline = Date.now() + 120_000
  while (countOf(told) < end) {
    if (Date.now() > deadline)
      throw new Error(`Only ${countOf(told)} of ${end} calls were acknowledged in time.`)
    await sleep(10)
  }
}

/** Measures the longest time without an acknowledgement. */
function watchForOutage(told: Told) {
  let longest = 0
  let count = countOf(told)
  let since = performance.now()
  const timer = setInterval(() => {
    if (countOf(told) === count) return
    longest = Math.max(longest, performance.now() - since)
    count = countOf(told)
    since = performance.now()
  }, 10)
  timer.unref()
  return {
    longestSeconds() {
      clearInterval(timer)
      return Math.round(longest / 100) / 10
    },
  }
}
