import { parseArgs } from 'node:util'

/** A mistake of the one at the keyboard: told in a sentence, without a stack. */
export class UsageError extends Error {
  override name = 'UsageError'
}

export type Flags = Record<string, string | boolean | undefined>

/** `--name value` for each named flag, `--name` alone for switches. Unknown ones are refused by name. */
export function parseFlags(argv: string[], names: string[], switches: string[] = ['json']) {
  try {
    const { values, positionals } = parseArgs({
      args: argv,
      allowPositionals: true,
      options: Object.fromEntries([
        ...names.map((name) => [name, { type: 'string' as const }]),
        ...switches.map((name) => [name, { type: 'boolean' as const }]),
      ]),
    })
    return { flags: values as Flags, words: positionals }
  } catch (error) {
    // What Node says after the first sentence is about words that look like options, and nobody here has such.
    throw new UsageError(`${(error as Error).message.split('. ')[0]}.`)
  }
}

export function required(flags: Flags, name: string): string {
  const value = flags[name]
  if (typeof value === 'string' && value !== '') return value
  throw new UsageError(`--${name} is needed.`)
}
