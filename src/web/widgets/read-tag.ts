export type Tag = { name: string; isEnd: boolean; attributes: ReadonlyMap<string, string>; next: number }

const start = /<(\/?)([a-z][^\s/>]*)/iy
const attribute = /[\s/]*([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/y
const close = /[\s/=]*>/y

/** The tag, comment or declaration that starts here. Undefined for a literal `<`. */
export function readTag(html: string, at: number): Tag | undefined {
  if (html.startsWith('<!--', at)) return skippedTag(html, '-->', at)
  if (html.startsWith('<!', at) || html.startsWith('<?', at)) return skippedTag(html, '>', at)
  start.lastIndex = at
  const begin = start.exec(html)
  if (!begin) return undefined
  const attributes = new Map<string, string>()
  let next = start.lastIndex
  for (;;) {
    close.lastIndex = next
    if (close.test(html))
      return { name: begin[2]!.toLowerCase(), isEnd: begin[1] === '/', attributes, next: close.lastIndex }
    attribute.lastIndex = next
    const found = attribute.exec(html)
    // An unterminated tag extends to the end of the text.
    if (!found) return { name: '', isEnd: false, attributes, next: html.length }
    next = attribute.lastIndex
    const name = found[1]!.toLowerCase()
    if (!attributes.has(name)) attributes.set(name, found[2] ?? found[3] ?? found[4] ?? '')
  }
}

function skippedTag(html: string, ending: string, at: number): Tag {
  const end = html.indexOf(ending, at)
  return { name: '', isEnd: false, attributes: new Map(), next: end < 0 ? html.length : end + ending.length }
}
