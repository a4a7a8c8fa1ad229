import { expect, test } from 'vitest'
import { parseArguments, parseFlags } from './arguments.ts'

test.each([
  [['--name', '--json'], "Option '--name' argument is ambiguous."],
  [['--name'], "Option '--name <value>' argument missing."],
  [['--nmae'], "Unknown option '--nmae'."],
  [['--name', 'Acme', 'Corp'], "Unexpected argument 'Corp'."],
])('the error for %j is one sentence', (argv, message) => {
  expect(() => parseFlags(argv, ['name'])).toThrow(new RegExp(`^${message}$`))
})

test('--json is a switch of every command that names no other switches', () => {
  expect(parseFlags(['--json'], []).flags).toEqual({ json: true })
  expect(() => parseFlags(['--json'], [], [])).toThrow("Unknown option '--json'.")
})

test('only a command that asks for positional arguments gets them', () => {
  expect(parseArguments(['list', '--name', 'Acme'], ['name'])).toMatchObject({
    flags: { name: 'Acme' },
    positionals: ['list'],
  })
  expect(() => parseFlags(['list', '--name', 'Acme'], ['name'])).toThrow("Unexpected argument 'list'.")
})
