import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { describeSecretsLocation, storeSecrets } from './target-secrets.ts'

const configured = { apiKeyPepper: 'p', encryptionKey: 'e', authSecret: 'a', internalToken: 'i' }

it('names the file with the secrets only if the service has written one', () => {
  const target = { dataDir: '/data', url: undefined }
  expect(describeSecretsLocation(target, {})).toBe('/data/secrets.json')
  expect(describeSecretsLocation(target, configured)).toBe('the four secret variables')
  expect(describeSecretsLocation(target, { authSecret: 'a' })).toBe('AUTH_SECRET and /data/secrets.json')
  const withUrl = { ...target, url: 'postgres://localhost/handrail' }
  expect(describeSecretsLocation(withUrl, {})).toBe('the four secret variables')
})

it('keeps a secrets.env that exists, and refuses to store other secrets beside it', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'handrail-secrets-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const target = { dataDir, url: 'postgres://localhost/handrail' }
  const path = join(dataDir, 'secrets.env')
  expect(await storeSecrets(target, configured, {})).toBe(path)
  const withMore = `# of the shop\n${await readFile(path, 'utf8')}PORT=3000\n`
  await writeFile(path, withMore)
  expect(await storeSecrets(target, configured, {})).toBe(path)
  await expect(storeSecrets(target, { ...configured, encryptionKey: 'e=2' }, {})).rejects.toThrow(
    `ENCRYPTION_KEY. Nothing was changed; ${path} contains other secrets: move it away or use a new DATA_DIR.`,
  )
  expect(await readFile(path, 'utf8')).toBe(withMore)
})
