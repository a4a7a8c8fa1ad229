import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { UsageError } from './arguments.ts'
import { readHeads } from './read-heads.ts'

it('says in one sentence why a path cannot be read', async () => {
  const folder = await readHeads(tmpdir()).catch((error: unknown) => error)
  expect(folder).toEqual(new UsageError(`${tmpdir()} is a folder. Choose a file.`))
  const missing = join(tmpdir(), 'no-such-folder', 'service.log')
  const error = await readHeads(missing).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(UsageError)
  expect(error).toMatchObject({ message: expect.stringMatching(/^Cannot read .*service\.log: ENOENT/) })
})

it('refuses a file without a head', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-heads-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'service.log')
  writeFileSync(file, '{"level":"info","msg":"ready"}\n')
  await expect(readHeads(file)).rejects.toEqual(new UsageError(`${file} contains no head of an audit chain.`))
})
