/** In `where`, for a command to run. */
export const terminal = 'Terminal'

/** One tab of snippets. `blocks` are in the order in which to use them. */
export type SnippetExample = {
  title: string
  /** `where` is the file to edit, or `terminal`. */
  blocks: { where: string; text: string }[]
  hint: string
}
