import { describe, expect, test } from 'vitest'
import { createAddressRule } from '../../lib/address-rule.ts'
import { callbackUrlProblem } from './check-callback-url.ts'

const byDefault = createAddressRule([])
const onLaptop = createAddressRule(['127.0.0.0/8'])

describe('validation of a callback URL when the task is created', () => {
  test.each([
    'https://example.com/hook?a=b#c',
    'http://example.com:8080',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
    'https://localhost.example.com/',
    // Host names are resolved and checked at each attempt, because DNS may change.
    'https://internal.example.com/',
  ])('%s is accepted', (url) => {
    expect(callbackUrlProblem(url, byDefault)).toBeUndefined()
  })

  test.each([
    'http://127.0.0.1:3000/hook',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://①②⑦.⓪.⓪.①/',
    'http://[::ffff:127.0.0.1]/',
    'http://localhost:3000/',
    'http://LOCALHOST/',
    'http://localhost./',
    'http://app.localhost/',
  ])('%s is rejected with the setting that allows it, and accepted if allowed', (url) => {
    expect(callbackUrlProblem(url, byDefault)).toContain(
      'CALLBACK_ALLOW_CIDRS, which is set when the service starts.',
    )
    expect(callbackUrlProblem(url, onLaptop)).toBeUndefined()
  })

  test.each([
    'http://[::1]/',
    'http://0.0.0.0/',
    'http://0/',
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://168.63.129.16/',
    'http://[fd00::1]/',
    'http://[64:ff9b::7f00:1]/',
  ])('%s is rejected even if 127.0.0.0/8 is allowed', (url) => {
    expect(callbackUrlProblem(url, onLaptop)).toContain('CALLBACK_ALLOW_CIDRS')
  })

  test.each([
    ['ftp://example.com/', /https:\/\//],
    ['javascript:alert(1)', /https:\/\//],
    ['example.com/hook', /Must be a URL/],
    ['http://', /Must be a URL/],
    ['http://300.1.1.1/', /Must be a URL/],
    ['https://user:secret@example.com/', /user name or password/],
    ['https://user@example.com/', /user name or password/],
  ])('%s is rejected', (url, reason) => {
    expect(callbackUrlProblem(url, byDefault)).toMatch(reason)
  })
})
