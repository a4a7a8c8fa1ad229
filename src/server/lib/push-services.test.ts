import { expect, test } from 'vitest'
import { isPushService } from './push-services.ts'

test.each([
  'https://fcm.googleapis.com/fcm/send/abc',
  'https://updates.push.services.mozilla.com/wpush/v2/abc',
  'https://web.push.apple.com/abc',
  'https://wns2-par02p.notify.windows.com/w/?token=abc',
  'https://push.example.com/abc',
  'http://127.0.0.1:8080/abc',
])('%s is the push service of a browser or allowed by the operator', (endpoint) => {
  expect(isPushService(endpoint, ['https://push.example.com', 'http://127.0.0.1:8080'])).toBe(true)
})

test.each([
  'http://fcm.googleapis.com/fcm/send/abc',
  'https://fcm.googleapis.com:8443/abc',
  'https://user:secret@fcm.googleapis.com/abc',
  'https://fcm.googleapis.com.evil.example/abc',
  'https://evil-fcm.googleapis.com/abc',
  'https://evilpush.apple.com/abc',
  'https://notify.windows.com.evil.example/abc',
  'https://push.example.com:8443/abc',
  'http://push.example.com/abc',
  'https://169.254.169.254/latest/meta-data',
  'not a URL',
])('%s is refused', (endpoint) => {
  expect(isPushService(endpoint, ['https://push.example.com'])).toBe(false)
})
