import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { findMemoryFolder } from './memory-folder.mjs'
import { run } from './run.mjs'

/**
 * Runs projects of vitest.config.ts together and counts the results; `failures` describes each
 * failed test in a few lines. A run that fails without a failed test counts as one failure.
 */
export async function runTestProjects(projects, filters, env) {
  const title = projects.join(', ')
  console.log(`\n── ${title}${env.TEST_DATABASE_URL ? ' on TEST_DATABASE_URL' : ''}`)
  const folder = mkdtempSync(join(tmpdir(), 'handrail-results-'))
  const file = join(folder, 'results.json')
  const code = await run(
    'vitest',
    [
      'run',
      ...projects.map((project) => `--project=${project}`),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
      // A project without any test is a mistake, but a filter may match nothing here.
      `--passWithNoTests=${filters.length > 0}`,
      ...filters,
    ],
    { TMPDIR: process.env.TMPDIR ?? findMemoryFolder(), ...env },
  )
  const results = read(file)
  rmSync(folder, { recursive: true, force: true })
  return count(title, results, code)
}

function count(title, results, code) {
  const failures = (results?.testResults ?? []).flatMap((file) => failuresOf(file))
  if (failures.length === 0 && code !== 0)
    failures.push(`${title}: vitest exited with code ${code}; see its output above`)
  return {
    passed: results?.numPassedTests ?? 0,
    skipped: results ? results.numPendingTests + results.numTodoTests : 0,
    failures,
  }
}

/** One entry per failed test of a file, or one for the whole file if it could not run. */
function failuresOf(file) {
  if (file.status !== 'failed') return []
  const name = relative(process.cwd(), file.name)
  const failed = file.assertionResults.filter((test) => test.status === 'failed')
  if (failed.length === 0) return [`${name}\n${firstLines(file.message)}`]
  return failed.map((test) => `${name} > ${test.fullName}\n${firstLines(test.failureMessages[0])}`)
}

/** The first lines of a failure message; vitest has already printed all of it. */
function firstLines(message = '') {
  const lines = message.split('\n', 4).map((line) => `    ${line.slice(0, 200)}`)
  return lines.join('\n')
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
