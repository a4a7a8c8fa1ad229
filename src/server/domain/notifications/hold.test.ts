import { describe, expect, test } from 'vitest'
import { heldUntil } from './hold.ts'

const night = {
  userId: 'usr_1',
  fromMinute: 22 * 60,
  toMinute: 7 * 60,
  timeZone: 'Europe/Berlin',
  exceptUrgent: true,
}
const urgent = 0
const high = 1
const normal = 2
const push = { medium: 'push', isAddressed: false } as const
const mail = { medium: 'mail', isAddressed: false } as const
const at = (time: string) => new Date(time)
const until = (held: Date | undefined) => held?.toISOString()

test('push messages are sent at once, emails about normal tasks an hour later', () => {
  const now = at('2026-11-17T12:30:00Z')
  expect(heldUntil({ ...push, priority: normal }, undefined, now)).toBeUndefined()
  expect(heldUntil({ ...mail, priority: high }, undefined, now)).toBeUndefined()
  expect(heldUntil({ ...mail, priority: normal, isAddressed: true }, undefined, now)).toBeUndefined()
  expect(until(heldUntil({ ...mail, priority: normal }, undefined, now))).toBe('2026-11-17T13:30:00.000Z')
})

describe('quiet hours', () => {
  test('hold everything until they end, except urgent tasks if the person wants those', () => {
    const evening = at('2026-11-17T21:30:20Z')
    expect(until(heldUntil({ ...push, priority: high }, night, evening))).toBe('2026-11-18T06:00:00.000Z')
    expect(heldUntil({ ...push, priority: urgent }, night, evening)).toBeUndefined()
    const strict = { ...night, exceptUrgent: false }
    expect(until(heldUntil({ ...push, priority: urgent }, strict, evening))).toBe('2026-11-18T06:00:00.000Z')
  })

  test('begin and end at their minute', () => {
    const held = (time: string) => until(heldUntil({ ...push, priority: high }, night, at(time)))
    expect(held('2026-11-17T20:59:59Z')).toBeUndefined()
    expect(held('2026-11-17T21:00:00Z')).toBe('2026-11-18T06:00:00.000Z')
    expect(held('2026-11-18T05:59:59Z')).toBe('2026-11-18T06:00:00.000Z')
    expect(held('2026-11-18T06:00:00Z')).toBeUndefined()
  })

  test('during the day, and across the change of clocks', () => {
    const noon = { ...night, fromMinute: 12 * 60, toMinute: 13 * 60 }
    expect(until(heldUntil({ ...push, priority: high }, noon, at('2026-11-17T11:15:00Z')))).toBe(
      '2026-11-17T12:00:00.000Z',
    )
    // On 25 October 2026 clocks in Berlin go back by an hour, on 29 March forward.
    expect(until(heldUntil({ ...push, priority: high }, night, at('2026-10-24T21:00:00Z')))).toBe(
      '2026-10-25T06:00:00.000Z',
    )
    expect(until(heldUntil({ ...push, priority: high }, night, at('2026-03-28T22:00:00Z')))).toBe(
      '2026-03-29T05:00:00.000Z',
    )
  })

  test('that end in the hour which the clocks skip end when it is skipped', () => {
    const untilHalfPastTwo = { ...night, toMinute: 2 * 60 + 30 }
    const held = heldUntil({ ...push, priority: high }, untilHalfPastTwo, at('2026-03-29T00:45:00Z'))
    expect(held!.getTime()).toBeGreaterThanOrEqual(at('2026-03-29T01:00:00Z').getTime())
    expect(held!.getTime()).toBeLessThanOrEqual(at('2026-03-29T01:30:00Z').getTime())
  })

  test('in a time zone that this version of Node does not know are ignored', () => {
    const lost = { ...night, timeZone: 'Mars/Olympus' }
    expect(heldUntil({ ...push, priority: high }, lost, at('2026-11-17T22:00:00Z'))).toBeUndefined()
  })

  test('an hourly email that would come in quiet hours comes after them', () => {
    expect(until(heldUntil({ ...mail, priority: normal }, night, at('2026-11-17T20:30:00Z')))).toBe(
      '2026-11-18T06:00:00.000Z',
    )
  })
})
