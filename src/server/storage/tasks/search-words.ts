const wordsPerDocument = 2_000
const wordsPerQuery = 10
const maxWordLength = 60

/**
 * The words of a text: runs of letters and digits in lower case, without accents' variants of form (NFKC).
 * The same function serves documents and queries, so both sides always agree.
 */
function splitWords(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  ).map((word) => word.slice(0, maxWordLength))
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

/** Whole words, and the last one as a beginning of a word: it may still be being typed. */
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
 * Each word carries the end of its workspace's id, so that the index keeps workspaces apart and one pays nothing for the
 * words of the others. Two workspaces with the same end would only be slower: rows are still chosen by the whole id.
 */
function workspaceWord(workspaceId: string, word: string): string {
  return `${workspaceId.slice(-8)}:${word}`
}
