import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from './run.mjs'

/** Runs one project of vitest.config.ts and counts. What fails without a failed test counts as one failed test. */
export async function testRing(project, filters, env) {
  console.log(`\n── ${project}${env.TEST_DATABASE_URL ? ' on TEST_DATABASE_URL' : ''}`)
  const folder = mkdtempSync(join(tmpdir(), 'handrail-results-'))
  const file = join(folder, 'results.json')
  const code = await run(
    'vitest',
    [
      'run',
      `--project=${project}`,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
      // A whole ring without a test is a mistake; a filter may well pick nothing here.
      `--passWithNoTests=${filters.length > 0}`,
      ...filters,
    ],
    env,
  )
  const results = read(file)
  rmSync(folder, { recursive: true, force: true })
  return count(results, code)
}

function count(results, code) {
  if (!results) return { passed: 0, failed: code === 0 ? 0 : 1, skipped: 0 }
  const brokenFiles = results.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  )
  const failed = results.numFailedTests + brokenFiles.length
  return {
    passed: results.numPassedTests,
    failed: failed === 0 && code !== 0 ? 1 : failed,
    skipped: results.numPendingTests + results.numTodoTests,
  }
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
