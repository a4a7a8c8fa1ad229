import { describe, expect, test } from 'vitest'
import { HandrailProblem } from '../../../client/problem.ts'
import { describeLoadFailures, runEach } from './run-each.ts'
import { sharedActions } from './shared-actions.ts'

function problem(status: number) {
  return new HandrailProblem({
    type: 'about:blank',
    title: '',
    status,
    code: 'unavailable',
    detail: 'No room.',
    requestId: '',
  })
}

describe('running a function for many tasks', () => {
  test('runs it once per task, four at a time, and returns which failed', async () => {
    const ids = Array.from({ length: 21 }, (_, n) => `${n}`)
    const seen: string[] = []
    let running = 0
    let maxRunning = 0
    const progress: number[] = []
    const failed = await runEach(
      ids,
      async (id) => {
        running += 1
        maxRunning = Math.max(maxRunning, running)
        await Promise.resolve()
        seen.push(id)
        running -= 1
        if (id === '7') throw problem(503)
      },
      (done) => progress.push(done),
    )
    expect(seen.toSorted()).toEqual(ids.toSorted())
    expect(maxRunning).toBe(4)
    expect(progress).toEqual(ids.map((_, n) => n + 1))
    expect([...failed.keys()]).toEqual(['7'])
  })

  test('describes failures with one sentence per reason', () => {
    expect(describeLoadFailures([problem(503), problem(0), problem(503)])).toEqual([
      "2 tasks couldn't be loaded: No room.",
      "1 task couldn't be loaded: the service is unreachable.",
    ])
  })
})

describe('a shared action', () => {
  const schema = (title: string) => ({ type: 'object', properties: { why: { type: 'string', title } } })
  const task = (
    type: string,
    ...actions: { id: string; title: string; schema?: Record<string, unknown> }[]
  ) => ({
    type,
    actions,
  })
  const approve = { id: 'approve', title: 'Approve' }
  const decline = { id: 'decline', title: 'Decline', schema: schema('Why?') }
  const ids = (...tasks: ReturnType<typeof task>[]) => sharedActions(tasks).map(({ id }) => id)

  test('has the same id, title and form in all tasks, which have the same type', () => {
    expect(ids(task('refund', approve, decline), task('refund', decline, approve))).toEqual([
      'approve',
      'decline',
    ])
    expect(ids(task('refund', approve, decline), task('refund', approve))).toEqual(['approve'])
    expect(ids(task('refund', approve), task('other', approve))).toEqual([])
    expect(ids(task('refund', approve), task('refund', { ...approve, title: 'Pay' }))).toEqual([])
    expect(ids(task('refund', decline), task('refund', { ...decline, schema: schema('Why not?') }))).toEqual(
      [],
    )
    expect(ids()).toEqual([])
  })
})
