import { expect, test } from 'vitest'
import { originsOf } from './public-url.ts'

test('without PUBLIC_URL, the local names are allowed as browsers send them', () => {
  expect(originsOf('http://localhost:7420', undefined)).toEqual([
    'http://127.0.0.1:7420',
    'http://localhost:7420',
    'http://[::1]:7420',
  ])
  // A browser leaves out the default port.
  expect(originsOf('http://localhost:80', undefined)).toEqual([
    'http://127.0.0.1',
    'http://localhost',
    'http://[::1]',
  ])
})
