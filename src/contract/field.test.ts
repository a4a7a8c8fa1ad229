import { describe, expect, test } from 'vitest'
import { TimestampInput } from './field.ts'

describe('a timestamp that is refused', () => {
  const suggestionFor = (input: unknown) =>
    /Send for example "(.*)"\.$/.exec(TimestampInput.safeParse(input).error!.issues[0]!.message)?.[1]

  test.each([
    ['2026-11-15', '2026-11-15T00:00:00Z'],
    ['2026-11-15 08:45', '2026-11-15T08:45:00Z'],
    ['2026-11-15T08:45:10', '2026-11-15T08:45:10Z'],
    ['2026-11-15T09:30:00.123456', '2026-11-15T09:30:00.123456Z'],
  ])('%s lacks only its time or zone, which the suggestion adds', (input, suggested) => {
    expect(suggestionFor(input)).toBe(suggested)
  })

  test.each(['2026-02-30', '2026-11-15T24:01:00', '2026-11-15T09:30:61', '0000-01-01', 'tomorrow', 7, null])(
    '%s gets an example that is accepted',
    (input) => {
      expect(suggestionFor(input)).toBe('2026-11-15T09:30:00Z')
    },
  )

  test('gets a suggestion that is accepted', () => {
    for (const input of ['2026-11-15', '2026-11-15 08:45', '2026-11-15T09:30:00.123456', '2026-02-30'])
      expect(TimestampInput.safeParse(suggestionFor(input)).success).toBe(true)
  })
})
