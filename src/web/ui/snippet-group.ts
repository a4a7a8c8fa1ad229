/** The `where` of commands, which are run in a terminal. */
export const terminal = 'Terminal'

/** The snippets of one tab. `blocks` are in the order in which to use them. */
export type SnippetGroup = {
  title: string
  /**
   * `where` is the heading of a block: the file, settings page or MCP method that the text is for,
   * or `terminal`.
   */
  blocks: { where: string; text: string }[]
  hint: string
}
