export type Tag = { name: string; isEnd: boolean; attributes: ReadonlyMap<string, string>; next: number }

const start = /<(\/?)([a-z][^\s/>]*)/iy
// As in browsers, a stray `=` starts a name.
const attribute = /[\s/]*([^\s/>][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/y
const close = /[\s/]*>/y
// As in browsers, `<!-->` and `<!--->` are whole comments, and `--!>` ends one too.
const comment = /<!--(?:-?>|.*?--!?>)/sy

/**
 * The tag that starts at this index, or a tag without a name for a comment or a declaration.
 * Undefined for a literal `<`.
 */
export function readTag(html: string, index: number): Tag | undefined {
  if (html.startsWith('<!--', index)) {
    comment.lastIndex = index
    return skippedTag(comment.test(html) ? comment.lastIndex : html.length)
  }
  if (html.startsWith('<!', index) || html.startsWith('<?', index)) {
    const end = html.indexOf('>', index)
    return skippedTag(end < 0 ? html.length : end + 1)
  }
  start.lastIndex = index
  const opening = start.exec(html)
  if (!opening) return undefined
  const attributes = new Map<string, string>()
  let next = start.lastIndex
  for (;;) {
    close.lastIndex = next
    if (close.test(html))
      return { name: opening[2]!.toLowerCase(), isEnd: opening[1] === '/', attributes, next: close.lastIndex }
    attribute.lastIndex = next
    const match = attribute.exec(html)
    // An unterminated tag extends to the end of the text.
    if (!match) return skippedTag(html.length)
    next = attribute.lastIndex
    const name = match[1]!.toLowerCase()
    if (!attributes.has(name)) attributes.set(name, match[2] ?? match[3] ?? match[4] ?? '')
  }
}

function skippedTag(next: number): Tag {
  return { name: '', isEnd: false, attributes: new Map(), next }
}
