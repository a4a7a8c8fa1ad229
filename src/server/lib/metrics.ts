import cluster from 'node:cluster'
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Logger } from './logger.ts'
import { sendToPrimary, type ToWorker } from './worker-messages.ts'

/**
 * Responds with 503 if the metrics could not be collected, for example because a worker is too
 * busy.
 */
export async function metricsResponse(read: () => Promise<string>, log: Logger): Promise<Response> {
  try {
    return new Response(await read(), { headers: { 'content-type': Registry.PROMETHEUS_CONTENT_TYPE } })
  } catch (error) {
    log.warn({ err: error }, 'failed to collect metrics')
    return new Response('The metrics could not be collected. Try again later.\n', {
      status: 503,
      headers: { 'content-type': 'text/plain; charset=utf-8' },
    })
  }
}

export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'handrail_' })
  // The highest value of all workers, so that one blocked worker shows.
  Object.assign(registry.getSingleMetric('handrail_nodejs_eventloop_lag_p99_seconds')!, { aggregator: 'max' })
  const registers = [registry]
  return {
    registry,
    readAll: createReader(registry),
    requests: new Histogram({
      name: 'handrail_http_request_seconds',
      help: 'Time to respond to a request, by route, method and status. Excludes waits and streams.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
      registers,
    }),
    tasksEnded: new Counter({
      name: 'handrail_tasks_ended_total',
      help: 'Tasks that ended, by final status.',
      labelNames: ['status'],
      registers,
    }),
    ruleAnswers: new Counter({
      name: 'handrail_rule_answers_total',
      help: 'Tasks that a standing rule answered when they were created. They are also counted as created and ended.',
      registers,
    }),
    tasksCreated: new Counter({ name: 'handrail_tasks_created_total', help: 'Tasks created.', registers }),
    waits: new Gauge({
      name: 'handrail_open_waits',
      help: 'Requests held until a task ends or a person asks its agent a question.',
      registers,
    }),
    streams: new Gauge({
      name: 'handrail_open_streams',
      help: 'Open event streams.',
      labelNames: ['kind'],
      registers,
    }),
  }
}

// Longer than the primary process waits for its workers.
const collectMilliseconds = 6_000

/** The metrics of all workers together, or of this process if it is the only one. */
function createReader(registry: Registry): () => Promise<string> {
  if (!cluster.isWorker) return () => registry.metrics()
  AggregatorRegistry.setRegistries(registry)
  // Sends this worker's metrics when the primary process collects them.
  new AggregatorRegistry()
  const waiting = new Map<number, (text: string | undefined) => void>()
  let lastId = 0
  process.on('message', (message: ToWorker) => {
    if (message.type === 'handrail:metrics') waiting.get(message.id)?.(message.text)
  })
  return async () => {
    const id = ++lastId
    const timeout = setTimeout(() => waiting.get(id)?.(undefined), collectMilliseconds)
    const text = await new Promise<string | undefined>((resolve) => {
      waiting.set(id, resolve)
      sendToPrimary({ type: 'handrail:metrics-wanted', id })
    })
    clearTimeout(timeout)
    waiting.delete(id)
    if (text === undefined) throw new Error('The metrics of the workers could not be collected.')
    return text
  }
}

export type OpenTaskFigures = {
  workspaceId: string
  priority: string
  open: number
  late: number
  oldestSeconds: number
}

const gauges = {
  handrail_open_tasks: ['open', 'Tasks that wait for people, by workspace and priority.'],
  handrail_late_tasks: [
    'late',
    'Tasks that wait for people and should have been answered by now, according to a policy, by workspace and priority.',
  ],
  handrail_oldest_open_task_seconds: [
    'oldestSeconds',
    'Age of the oldest task that waits for people, by workspace and priority.',
  ],
} as const
const readAtMostEveryMilliseconds = 10_000
// Every worker reads the same figures from the database.
const aggregator = 'max'

/** Reading fails silently: an unreachable database must not hide the other metrics. */
function readCached<T>(read: () => Promise<T[]>): () => Promise<T[]> {
  let latest: Promise<T[]> | undefined
  let readAt = 0
  return () => {
    if (!latest || Date.now() - readAt > readAtMostEveryMilliseconds) {
      readAt = Date.now()
      latest = read().catch(() => [])
    }
    return latest
  }
}

/** Adds the gauges of tasks that wait for people, for alerts. */
export function addOpenTaskGauges({ registry }: Metrics, read: () => Promise<OpenTaskFigures[]>): void {
  const readFigures = readCached(read)
  for (const [name, [figure, help]] of Object.entries(gauges)) {
    new Gauge({
      name,
      help,
      labelNames: ['workspace', 'priority'],
      registers: [registry],
      aggregator,
      async collect() {
        this.reset()
        for (const { workspaceId: workspace, priority, ...figures } of await readFigures())
          this.set({ workspace, priority }, figures[figure])
      },
    })
  }
}

export type RuleCount = { workspaceId: string; state: string; rules: number }

/** Adds the gauge of standing rules, for alerts. */
export function addRuleGauge({ registry }: Metrics, read: () => Promise<RuleCount[]>): void {
  const readCounts = readCached(read)
  new Gauge({
    name: 'handrail_rules',
    help: 'Standing rules that are active or paused, by workspace and state.',
    labelNames: ['workspace', 'state'],
    registers: [registry],
    aggregator,
    async collect() {
      this.reset()
      for (const { workspaceId: workspace, state, rules } of await readCounts())
        this.set({ workspace, state }, rules)
    },
  })
}
