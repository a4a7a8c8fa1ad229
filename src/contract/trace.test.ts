import { expect, test } from 'vitest'
import { parseTrace } from './trace.ts'

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

test('a valid trace is returned unchanged', () => {
  expect(parseTrace(traceparent, undefined)).toEqual({ traceparent })
  for (const tracestate of ['congo=t61rcWkgMzE', 'a=1, b@c=x y ,,d=4', `a=${'x'.repeat(256)}`])
    expect(parseTrace(traceparent, tracestate)).toEqual({ traceparent, tracestate })
})

test('an invalid trace is ignored', () => {
  const zeros = [
    traceparent.replace(/4bf9.+36/, '0'.repeat(32)),
    traceparent.replace('00f067aa0ba902b7', '0'.repeat(16)),
  ]
  const wrong = [
    undefined,
    null,
    7,
    '',
    'x',
    traceparent.toUpperCase(),
    `ff${traceparent.slice(2)}`,
    `${traceparent}\r\n`,
  ]
  for (const value of [...zeros, ...wrong]) expect(parseTrace(value, 'a=1')).toBeUndefined()
  const states = [
    '',
    ' ',
    'A=1',
    'a',
    'a=1\r\nx: y',
    'a=ü',
    `a=${'x'.repeat(512)}`,
    'a=1,'.repeat(33),
    ['a=1'],
  ]
  for (const value of states) expect(parseTrace(traceparent, value), String(value)).toEqual({ traceparent })
})
