import type { Page } from 'playwright-core'

type TraceEvent = {
  name: string
  ph: string
  ts: number
  dur?: number
  id?: number
  pid: number
  tid: number
}

/**
 * The longest frame during `work`, or the longest task of a thread that draws frames if it is
 * longer, in milliseconds.
 */
export async function longestFrame(page: Page, work: () => Promise<void>): Promise<number> {
  const debug = await page.context().newCDPSession(page)
  const events: TraceEvent[] = []
  debug.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])))
  await debug.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'] },
  })
  await work()
  const complete = new Promise((resolve) => debug.once('Tracing.tracingComplete', resolve))
  await debug.send('Tracing.end')
  await complete
  await debug.detach()
  const frames = frameDurations(events)
  if (frames.length < 10) throw new Error('The trace has fewer than 10 frames.')
  return Math.max(...frames, ...taskDurations(events)) / 1000
}

// Times in a trace are microseconds.

/** The time of each frame from its first task until it is presented. */
function frameDurations(events: TraceEvent[]): number[] {
  const startTimes = new Map<string, number>()
  const frames: number[] = []
  const ordered = events.filter(({ name }) => name === 'AnimationFrame').sort((a, b) => a.ts - b.ts)
  for (const { ph, pid, id, ts } of ordered) {
    const key = `${pid}/${id}`
    if (ph === 's') startTimes.set(key, ts)
    else if (startTimes.has(key)) frames.push(ts - startTimes.get(key)!)
  }
  return frames
}

/** The time of each task in the threads that draw frames. */
function taskDurations(events: TraceEvent[]): number[] {
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid}/${tid}`
  const drawingThreads = new Set(events.filter(({ name }) => name === 'AnimationFrame').map(threadOf))
  return events
    .filter((event) => event.name === 'RunTask' && drawingThreads.has(threadOf(event)))
    .map(({ dur = 0 }) => dur)
}
