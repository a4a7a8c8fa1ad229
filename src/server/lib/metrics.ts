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
