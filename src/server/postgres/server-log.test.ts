import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { markLogEnd } from './server-log.ts'

function createLog(content: string) {
  const folder = mkdtempSync(join(tmpdir(), 'handrail-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'log'))
  writeFileSync(join(folder, 'current_logfiles'), 'stderr log/postgresql-Thu.log\n')
  const file = join(folder, 'log', 'postgresql-Thu.log')
  writeFileSync(file, content)
  return { folder, file }
}

test('messages of an earlier run on the same weekday are left out', () => {
  const { folder, file } = createLog('FATAL:  earlier\n')
  const readLog = markLogEnd(folder)
  expect(readLog()).toBe('')
  appendFileSync(file, 'LOG:  now\n')
  expect(readLog()).toBe('LOG:  now\n')
})

test('a file that was truncated or created meanwhile is read from its start', () => {
  const { folder, file } = createLog('FATAL:  a week ago\n')
  const readLog = markLogEnd(folder)
  writeFileSync(file, 'FATAL:  now\n')
  expect(readLog()).toBe('FATAL:  now\n')
  writeFileSync(join(folder, 'current_logfiles'), 'stderr log/postgresql-Fri.log\n')
  writeFileSync(join(folder, 'log', 'postgresql-Fri.log'), 'FATAL:  next day\n')
  expect(readLog()).toBe('FATAL:  next day\n')
})

test('a data folder without a log has logged nothing', () => {
  expect(markLogEnd(join(tmpdir(), 'handrail-no-folder'))()).toBe('')
})
