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
  const failed = complaints.filter((complaint) => complaint !== undefined).length
  return { passed: CHECKS.length - failed, failed, skipped: 0 }
}
