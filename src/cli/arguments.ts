import { parseArgs } from 'node:util'
import type { z } from 'zod'
import { zodViolations } from '../contract/zod-violations.ts'

/** Invalid arguments: reported as a message without a stack trace. */
export class UsageError extends Error {
  override name = 'UsageError'
}

export type Flags = Record<string, string | boolean | undefined>

/** Parses `--name value` for names and `--name` for switches. Throws on all other arguments. */
export function parseFlags(argv: string[], names: string[], switches = ['json']): { flags: Flags } {
  return { flags: parse(argv, names, switches, false).flags }
}

/** Like `parseFlags`, with positional arguments. The command checks how many there are. */
export function parseArguments(argv: string[], names: string[], switches = ['json']) {
  return parse(argv, names, switches, true)
}

function parse(argv: string[], names: string[], switches: string[], allowPositionals: boolean) {
  try {
    const { values, positionals } = parseArgs({
      args: argv,
      allowPositionals,
      options: Object.fromEntries([
        ...names.map((name) => [name, { type: 'string' as const }]),
        ...switches.map((name) => [name, { type: 'boolean' as const }]),
      ]),
    })
    return { flags: values as Flags, positionals }
  } catch (error) {
    // The first sentence of Node's message is enough; the rest explains positional arguments.
    throw new UsageError(`${(error as Error).message.split(/\.(?:\s|$)/)[0]}.`)
  }
}

export function requireFlag(flags: Flags, name: string): string {
  const value = flags[name]
  if (typeof value === 'string' && value !== '') return value
  throw new UsageError(`--${name} is required.`)
}

/** The parsed value of a flag; throws a UsageError if it is invalid. */
export function flagValue<T>(flag: string, schema: z.ZodType<T>, value: unknown): T {
  return argumentValue(`--${flag}`, schema, value)
}

/** Like `flagValue`, for a positional argument. */
export function argumentValue<T>(name: string, schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new UsageError(`${name}: ${zodViolations(result.error, schema, value)[0]!.message}`)
}
