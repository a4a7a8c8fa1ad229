import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startNode } from '../support/node.ts'

test('without the secrets of its database, the service does not start, and says what to restore', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'handrail-lost-secrets-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const file = join(dataDir, 'secrets.json')
  const start = () => startNode({ DATA_DIR: dataDir })
  expect(await (await start()).stop()).toBe(0)
  const saved = readFileSync(file, 'utf8')

  rmSync(file)
  const failed = start()
  await expect(failed).rejects.toThrow('the service ended with 1:')
  await expect(failed).rejects.toThrow(
    `${file} is missing. This database needs the secrets it was set up with: restore the file from a backup, or set ` +
      'API_KEY_PEPPER, ENCRYPTION_KEY, AUTH_SECRET, SERVICE_MCP_INTERNAL_TOKEN.',
  )
  // New secrets would look like a restored file.
  expect(existsSync(file)).toBe(false)

  writeFileSync(file, saved.slice(0, saved.length / 2))
  await expect(start()).rejects.toThrow(
    `${file} does not contain the four secrets. Restore it from a backup.`,
  )

  writeFileSync(file, saved)
  expect(await (await start()).stop()).toBe(0)
})
