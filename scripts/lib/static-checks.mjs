import { commandLine, runQuietly } from './run.mjs'

// The same checks as `npm run check`, in parallel. Each counts as one test.
const checks = [
  ['biome', ['check', '.']],
  // One checker: tests run at the same time, and each further checker checks the shared types
  // again.
  ['tsc', ['-p', 'tsconfig.json', '--checkers', '1']],
  ['knip', []],
]

/** Checks formatting, lint, types and unused code. */
export async function runStaticChecks() {
  const outputs = await Promise.all(checks.map(([program, args]) => runQuietly(program, args)))
  console.log('\n── static checks')
  outputs.forEach((output, index) => {
    const line = commandLine(...checks[index])
    console.log(output === undefined ? ` ✓ ${line}` : ` ✗ ${line}\n${output}\n`)
  })
  const failures = checks
    .filter((_, index) => outputs[index] !== undefined)
    .map((check) => `static checks: ${commandLine(...check)}`)
  return { passed: checks.length - failures.length, skipped: 0, failures }
}
