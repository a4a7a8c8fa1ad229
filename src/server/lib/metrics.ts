import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'handrail_' })
  const registers = [registry]
  return {
    registry,
    requests: new Histogram({
      name: 'handrail_http_request_seconds',
      help: 'Time to answer a request, by route, method and status. Waits and streams are not in it.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
      registers,
    }),
    tasksEnded: new Counter({
      name: 'handrail_tasks_ended_total',
      help: 'Tasks that left open, by the status they took.',
      labelNames: ['status'],
      registers,
    }),
    tasksCreated: new Counter({ name: 'handrail_tasks_created_total', help: 'Tasks created.', registers }),
    waits: new Gauge({
      name: 'handrail_open_waits',
      help: 'Requests held until a task ends or a person asks its agent.',
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
    'Those of them that should have been answered by now, according to a policy.',
  ],
  handrail_oldest_open_task_seconds: ['oldestSeconds', 'Age of the oldest of them.'],
} as const
const readAtMostEveryMilliseconds = 10_000

/** What people have to do, for alerts. Reading fails silently: an unreachable database must not hide the other metrics. */
export function addOpenTaskGauges({ registry }: Metrics, read: () => Promise<OpenTaskFigures[]>): void {
  let latest: Promise<OpenTaskFigures[]> | undefined
  let readAt = 0
  function readCached(): Promise<OpenTaskFigures[]> {
    if (!latest || Date.now() - readAt > readAtMostEveryMilliseconds) {
      readAt = Date.now()
      latest = read().catch(() => [])
    }
    return latest
  }
  for (const [name, [figure, help]] of Object.entries(gauges)) {
    new Gauge({
      name,
      help,
      labelNames: ['workspace', 'priority'],
      registers: [registry],
      async collect() {
        this.reset()
        for (const { workspaceId: workspace, priority, ...figures } of await readCached())
          this.set({ workspace, priority }, figures[figure])
      },
    })
  }
}
