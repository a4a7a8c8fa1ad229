import { expect, it } from 'vitest'
import { describeSecretsLocation } from './target-secrets.ts'

const configured = { apiKeyPepper: 'p', encryptionKey: 'e', authSecret: 'a', internalToken: 'i' }

it('names the file with the secrets only if the service has written one', () => {
  const target = { dataDir: '/data', url: undefined }
  expect(describeSecretsLocation(target, {})).toBe('/data/secrets.json')
  expect(describeSecretsLocation(target, configured)).toBe('the four secret variables')
  expect(describeSecretsLocation(target, { authSecret: 'a' })).toBe('AUTH_SECRET and /data/secrets.json')
  const withUrl = { ...target, url: 'postgres://localhost/handrail' }
  expect(describeSecretsLocation(withUrl, {})).toBe('the four secret variables')
})
