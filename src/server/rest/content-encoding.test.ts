import { expect, test } from 'vitest'
import { chooseEncoding } from './content-encoding.ts'

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1.0, br;q=0.5', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['br; q=0.000, gzip; q=0.001', 'gzip'],
  ['br;q=0, gzip;Q=0', undefined],
  ['identity', undefined],
  ['', undefined],
])('Accept-Encoding: %s', (header, encoding) => {
  expect(chooseEncoding(header)).toBe(encoding)
})
