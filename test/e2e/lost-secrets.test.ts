import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startService, testSecrets } from '../support/service.ts'

test('without the secrets of its database, the service does not start, and says what to restore', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'handrail-lost-secrets-'))
  chmodSync(dataDir, 0o755) // for the user PostgreSQL runs as when we are root
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const file = join(dataDir, 'secrets.json')
  const unset = Object.fromEntries(['DATABASE_URL', ...Object.keys(testSecrets)].map((name) => [name, '']))
  const start = () => startService({ ...unset, DATA_DIR: dataDir })
  await (await start()).stop()
  const saved = readFileSync(file, 'utf8')

  rmSync(file)
  const missing =
    `${file} is missing. This database needs the secrets it was set up with: restore the file from a backup, or set ` +
    'API_KEY_PEPPER, ENCRYPTION_KEY, AUTH_SECRET, SERVICE_MCP_INTERNAL_TOKEN.'
  await expect(start()).rejects.toMatchObject({ name: 'ConfigError', mistakes: [missing] })
  // New secrets would look like a restored file.
  expect(existsSync(file)).toBe(false)

  writeFileSync(file, saved.slice(0, saved.length / 2))
  await expect(start()).rejects.toThrow(
    `${file} does not contain the four secrets. Restore it from a backup.`,
  )

  writeFileSync(file, saved)
  await (await start()).stop()
})
