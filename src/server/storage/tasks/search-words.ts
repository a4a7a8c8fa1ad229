const wordsPerDocument = 2_000
const wordsPerQuery = 10
const maxWordLength = 60
// The first half of a surrogate pair whose second half was cut off. PostgreSQL refuses JSON with it.
const halfPair = /[\ud800-\udbff]$/

/**
 * The words of a text: runs of letters and digits, NFKC-normalized and lowercased. Documents and
 * queries both use this function, so that they match.
 */
function splitWords(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  ).map((word) => word.slice(0, maxWordLength).replace(halfPair, ''))
}

export function documentWords(workspaceId: string, ...texts: string[]): string[] {
  const words = new Set<string>()
  for (const text of texts) {
    for (const word of splitWords(text)) {
      if (words.size === wordsPerDocument) break
      words.add(workspaceWord(workspaceId, word))
    }
  }
  return [...words]
}

/** Each of `words` matches a whole word. `last` matches a prefix: the person may still be typing it. */
export function queryWords(
  workspaceId: string,
  query: string,
): { words: string[]; last: string | undefined } {
  const words = [...new Set(splitWords(query))]
    .slice(0, wordsPerQuery)
    .map((word) => workspaceWord(workspaceId, word))
  return { words: words.slice(0, -1), last: words.at(-1) }
}

/**
 * Each word is prefixed with the end of the workspace id, so that a search does not read the index
 * entries of other workspaces. A collision only costs time: rows are still filtered by the whole
 * id.
 */
function workspaceWord(workspaceId: string, word: string): string {
  return `${workspaceId.slice(-8)}:${word}`
}
