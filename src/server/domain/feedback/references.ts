import { shortName } from './sanitize.ts'

/**
 * Writes a name that a sender or a person chose as a text refers to it: for example as a code span
 * in texts for people, or as a number in texts for agents.
 */
export type Naming = (text: string) => string

/**
 * Numbers names: those of actions, fields, versions and candidates, choices, and the words of
 * themes, which senders and people wrote. Instructions to an agent contain only the numbers, as
 * [1], [2], …; the names themselves are lines of the data block.
 */
export function createReferences() {
  const numbers = new Map<string, number>()
  const refer: Naming = (text) => {
    const short = shortName(text)
    if (!numbers.has(short)) numbers.set(short, numbers.size + 1)
    return `[${numbers.get(short)}]`
  }
  return {
    refer,
    lines: () => [...numbers].map(([text, number]) => `[${number}] ${text}`),
    names: () => [...numbers.keys()],
    /** Replaces the numbers in a text with names. */
    resolve: (text: string, name: Naming) => {
      const names = [...numbers.keys()]
      return text.replace(reference, (all, number) => {
        const found = names[Number(number) - 1]
        return found === undefined ? all : name(found)
      })
    },
  }
}

export type References = ReturnType<typeof createReferences>

const reference = /\[(\d+)\]/g

export function referencesIn(text: string): string[] {
  return [...text.matchAll(reference)].map(([all]) => all)
}
