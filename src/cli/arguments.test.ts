import { expect, test } from 'vitest'
import { parseFlags } from './arguments.ts'

test.each([
  [['--name', '--json'], "Option '--name' argument is ambiguous."],
  [['--name'], "Option '--name <value>' argument missing."],
  [['--nmae'], "Unknown option '--nmae'."],
])('the error for %j is one sentence', (argv, message) => {
  expect(() => parseFlags(argv, ['name'])).toThrow(new RegExp(`^${message}$`))
})
