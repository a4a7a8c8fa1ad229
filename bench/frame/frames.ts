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

/** The longest frame of the page during the work, or the longest task that blocked frames, in milliseconds. */
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
  const frames = framesOf(events)
  if (frames.length < 10) throw new Error('The trace has hardly a frame.')
  return Math.max(...frames, ...tasksBesideFrames(events)) / 1000
}

// Times in a trace are microseconds.

/** The time from the first task of a frame until it is presented. */
function framesOf(events: TraceEvent[]): number[] {
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

function tasksBesideFrames(events: TraceEvent[]): number[] {
  const threadOf = ({ pid, tid }: TraceEvent) => `${pid}/${tid}`
  const drawing = new Set(events.filter(({ name }) => name === 'AnimationFrame').map(threadOf))
  return events
    .filter((event) => event.name === 'RunTask' && drawing.has(threadOf(event)))
    .map(({ dur = 0 }) => dur)
}
