import { expect, test } from 'vitest'
import { permanentFailure } from '../delivery/transport.ts'
import { summarize } from './send-web-push.ts'

const gone = { status: 410, durationMilliseconds: 5 }

test('a push service that is no longer allowed is reported as such, also beside a browser that is gone', () => {
  const notAllowed = permanentFailure('The push service of the browser is not allowed any more.')
  expect(summarize([gone, notAllowed])).toEqual({
    status: undefined,
    error: notAllowed.error,
    isPermanent: true,
  })
  expect(summarize([gone])).toMatchObject({ status: 410, isPermanent: true })
})
