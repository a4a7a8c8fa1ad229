import { setTimeout as sleep } from 'node:timers/promises'
import { vi } from 'vitest'
import { startNodes, stopNodes } from '../support/nodes.ts'
import { taskPayload } from '../support/service.ts'
import { query } from '../support/sql.ts'
import { type Acknowledged, createAcknowledged } from './acknowledged.ts'
import { type Clients, workAsAgent, workAsPerson } from './clients.ts'
import { type Follower, followInbox } from './follower.ts'
import { openInboxPage } from './inbox-page.ts'
import { type Cluster, startCluster } from './patroni-cluster.ts'
import { type Reachable, setUp } from './set-up.ts'
import { checkPromises, findLost, readAllTasks } from './verdict.ts'

const acknowledgedBefore = 300
const acknowledgedAfter = 200
/** In asynchronous mode: the number of calls acknowledged while the standby receives nothing. */
const acknowledgedWithoutStandby = 60
const waitOptions = { timeout: 30_000, interval: 20 }

export type FailoverMode = 'synchronous' | 'asynchronous'

/**
 * Kills the primary of a Patroni cluster of two servers with SIGKILL while clients use two nodes in
 * front of it.
 */
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
  const clients: Clients = { acknowledged: createAcknowledged(), openTasks: [], isRunning: true }
  const { acknowledged } = clients
  const open = followInbox(service.url, owner, '0.0.0')
  const reconnecting = followInbox(service.url, owner, '0.0.0', 300)
  const page = openInboxPage(service.url, owner)
  try {
    const workers = [
      ...['Ada', 'Bob', 'Cleo'].map((sender) => workAsAgent(clients, sender, agent)),
      ...people.map((person) => workAsPerson(clients, person.name, person.caller)),
    ]
    const outage = watchForOutage(acknowledged)
    await untilAcknowledged(acknowledged, acknowledgedBefore)
    const replicated = structuredClone(acknowledged)
    await cluster.catchUp()
    const timelineBefore = await cluster.first.timeline()

    // Patroni would allow writes without the standby if it saw the standby disconnect.
    if (mode === 'synchronous') cluster.first.killPatroni()
    await cluster.first.line.cut()
    let commitsHeldBack = 0
    if (mode === 'asynchronous') await untilAcknowledged(acknowledged, acknowledgedWithoutStandby)
    else commitsHeldBack = await vi.waitUntil(() => commitsWaitingForStandby(cluster.first.url), waitOptions)
    const acknowledgedAtKill = countOf(acknowledged)
    cluster.first.killPatroni()
    await cluster.first.killPostgres()

    await cluster.second.becomes('primary')
    await untilAcknowledged(acknowledged, acknowledgedAfter)
    clients.isRunning = false
    await Promise.all(workers)

    const { taskId: last } = (await agent().post('/tasks', taskPayload({}, { name: 'The last one' }))).body
    await Promise.all([open.endAfter(last), reconnecting.endAfter(last)])
    await vi.waitUntil(() => page.hasSeen(last), waitOptions)
    const log = await readLog(cluster.second.url)
    const records = await readAllTasks(agent())
    const lost = findLost(acknowledged, records)
    return {
      figures: {
        mode,
        timelines: [timelineBefore, await cluster.second.timeline()],
        acknowledged: countOf(acknowledged),
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
      lostThoughReplicated: findLost(replicated, records),
      unexpected: acknowledged.unexpected,
      names: [...records.values()].map(({ name }) => name),
      log,
      streams: [open, reconnecting].map((follower) => compareWithLog(follower, log)),
      shownAsOpen: page.openTasks(),
      openInRecord: [...records.values()]
        .filter(({ status }) => status === 'open')
        .map(({ taskId }) => taskId),
      verdict: await checkPromises({
        acknowledged,
        followers: [open, reconnecting],
        agent: agent(),
        lastTaskId: last,
      }),
    }
  } finally {
    clients.isRunning = false
    await Promise.all([open.end(), reconnecting.end(), page.close()])
  }
}

/** Compares what a reader has seen since the first event with the log of the promoted server. */
function compareWithLog(follower: Follower, log: string[]) {
  const inLog = new Set(log)
  const received = follower.received()
  const lastStartOver = received.findLastIndex(({ name }) => name === 'start-over')
  const idsOf = (events: typeof received) =>
    events.filter(({ name }) => name === 'inbox').map(({ event }) => event.eventId)
  return {
    /** In the order of arrival. */
    seenOfLog: idsOf(received).filter((eventId) => inLog.has(eventId)),
    /** Lost events that the reader would not learn about. */
    lostAfterStartOver: idsOf(received.slice(lastStartOver + 1)).filter((eventId) => !inLog.has(eventId)),
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

function countOf({ created, handled, cancelled, updated }: Acknowledged): number {
  return created.length + handled.length + cancelled.length + updated.length
}

async function untilAcknowledged(acknowledged: Acknowledged, more: number): Promise<void> {
  const end = countOf(acknowledged) + more
  const deadline = Date.now() + 120_000
  while (countOf(acknowledged) < end) {
    if (Date.now() > deadline)
      throw new Error(`Only ${countOf(acknowledged)} of ${end} calls were acknowledged in time.`)
    await sleep(10)
  }
}

/** Measures the longest time without an acknowledgement, in seconds. */
function watchForOutage(acknowledged: Acknowledged) {
  let longest = 0
  let count = countOf(acknowledged)
  let since = performance.now()
  const timer = setInterval(() => {
    if (countOf(acknowledged) === count) return
    longest = Math.max(longest, performance.now() - since)
    count = countOf(acknowledged)
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
