import { expect, test } from 'vitest'
import { explainConnectionError } from './start-error.ts'

test('a connection that fails because of its URL is explained by what to add to the URL', () => {
  const explain = (message: string, code?: string) =>
    explainConnectionError(Object.assign(new Error(message), { code }), 'DATABASE_URL')
  expect(explain('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string')).toBe(
    'The database cannot be reached: it requires a password. Add it to DATABASE_URL, or set PGPASSWORD.',
  )
  expect(explain('self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT')).toBe(
    "The database cannot be reached: self-signed certificate. Add sslrootcert=FILE, the certificate of the server's CA, to DATABASE_URL.",
  )
})
