import { expect, test } from 'vitest'
import { isSignedBySlack, readSlackSignature } from './slack-signature.ts'

// The example in Slack's documentation of signed requests.
const secret = '8f742231b10e8888abcd99yyyzzz85a5'
const timestamp = '1531420618'
const signature = 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503'
const body =
  'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c'

const headers = (values: object = {}) =>
  new Headers({ 'x-slack-request-timestamp': timestamp, 'x-slack-signature': signature, ...values })
const secondsLater = (seconds: number) => new Date((Number(timestamp) + seconds) * 1000)

test("the example in Slack's documentation is accepted", () => {
  const read = readSlackSignature(headers(), secondsLater(2))
  expect(isSignedBySlack(secret, body, read!)).toBe(true)
})

test('a changed body, timestamp or secret is refused', () => {
  expect(isSignedBySlack(secret, `${body} `, { timestamp, signature })).toBe(false)
  expect(isSignedBySlack(secret, body, { timestamp: '1531420619', signature })).toBe(false)
  expect(isSignedBySlack(`${secret}0`, body, { timestamp, signature })).toBe(false)
})

test('a request is valid for five minutes around its timestamp', () => {
  expect(readSlackSignature(headers(), secondsLater(299))).toBeDefined()
  expect(readSlackSignature(headers(), secondsLater(301))).toBeUndefined()
  expect(readSlackSignature(headers(), secondsLater(-301))).toBeUndefined()
})

test.each([
  { 'x-slack-signature': '' },
  { 'x-slack-signature': signature.slice(3) },
  { 'x-slack-signature': `${signature}0` },
  { 'x-slack-request-timestamp': '' },
  { 'x-slack-request-timestamp': '1531420618.5' },
  { 'x-slack-request-timestamp': '-1' },
])('malformed headers are refused: %j', (values) => {
  expect(readSlackSignature(headers(values), secondsLater(0))).toBeUndefined()
})
