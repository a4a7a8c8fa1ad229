import { commandLine, complaintOf } from './run.mjs'

// Same as `npm run check`, side by side. Each counts as one test.
const CHECKS = [
  ['biome', ['check', '.']],
  ['tsc', ['-p', 'tsconfig.json', '--noEmit']],
  ['knip', []],
]

/** Whether the code is formatted, typed and free of dead parts. */
export async function shapeRing() {
  console.log('\n── shape')
  const complaints = await Promise.all(CHECKS.map(([program, args]) => complaintOf(program, args)))
  complaints.forEach((complaint, index) => {
    const line = commandLine(...CHECKS[index])
    console.log(complaint === undefined ? ` ✓ ${line}` : ` ✗ ${line}\n${complaint}\n`)
  })
  const failures = CHECKS.filter((_, index) => complaints[index] !== undefined).map(
    (check) => `shape: ${commandLine(...check)}`,
  )
  return { passed: CHECKS.length - failures.length, skipped: 0, failures }
}
