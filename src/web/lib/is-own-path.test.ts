import { expect, test } from 'vitest'
import { isOwnPath } from './is-own-path.ts'

test('only paths of this app are its own, and not what a browser reads as another site', () => {
  expect(['/', '/w/wsp_1/inbox', '/sign-in?to=//elsewhere.example'].map(isOwnPath)).toEqual([
    true,
    true,
    true,
  ])
  const foreign = [
    'https://elsewhere.example/',
    '//elsewhere.example/',
    '/\\elsewhere.example/',
    '',
    undefined,
  ]
  expect(foreign.filter(isOwnPath)).toEqual([])
})
