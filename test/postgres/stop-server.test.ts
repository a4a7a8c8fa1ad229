import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { initialize } from '../../src/server/postgres/initialize.ts'
import { locateBinaries } from '../../src/server/postgres/locate.ts'
import { findPostmaster } from '../../src/server/postgres/postmaster-file.ts'
import { startServer, stopServer } from '../../src/server/postgres/server-process.ts'
import { currentUser, unprivilegedUser } from '../../src/server/postgres/system-user.ts'
import { createFolder, isRoot, removeFolders, waitUntilStopped } from './folders.ts'

const clock = vi.hoisted(() => ({ aheadMs: 0, isFast: false }))

// Waiting takes no time while the clock is fast.
vi.mock('node:timers/promises', async (load) => {
  const original = await load<typeof import('node:timers/promises')>()
  const setTimeout = async (ms: number) => {
    if (!clock.isFast) return await original.setTimeout(ms)
    clock.aheadMs += 1_000
  }
  return { ...original, setTimeout }
})

afterAll(removeFolders)

test('a PostgreSQL that cannot be stopped keeps its socket', async () => {
  const user = isRoot ? unprivilegedUser() : currentUser()
  const folder = { path: join(createFolder(isRoot ? user : undefined), 'postgres'), user }
  const binaries = locateBinaries(user, createFolder(), undefined, () => undefined)
  await initialize(folder, binaries)
  expect(await startServer(folder, binaries, { printLine: () => undefined })).toEqual({ isReady: true })
  const { pid, socketFolder } = findPostmaster(folder.path)!
  const now = Date.now
  vi.spyOn(Date, 'now').mockImplementation(() => now() + clock.aheadMs)

  process.kill(pid, 'SIGSTOP')
  onTestFinished(async () => {
    clock.isFast = false
    vi.restoreAllMocks()
    // It handles the signals of stopServer now.
    process.kill(pid, 'SIGCONT')
    await waitUntilStopped(folder.path)
    rmSync(socketFolder, { recursive: true, force: true })
  })
  clock.isFast = true
  await stopServer(folder)
  expect(findPostmaster(folder.path)?.pid).toBe(pid)
  expect(existsSync(socketFolder)).toBe(true)
})
