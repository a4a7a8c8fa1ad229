export type Tag = { name: string; isEnd: boolean; attributes: ReadonlyMap<string, string>; next: number }

const start = /<(\/?)([a-z][^\s/>]*)/iy
const attribute = /[\s/]*([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?/y
const close = /[\s/=]*>/y

/** The tag, comment or declaration that starts here. Undefined for a literal `<`. */
export function readTag(html: string, index: number): Tag | undefined {
  if (html.startsWith('<!--', index)) return skippedTag(html, '-->', index)
  if (html.startsWith('<!', index) || html.startsWith('<?', index)) return skippedTag(html, '>', index)
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
    if (!match) return { name: '', isEnd: false, attributes, next: html.length }
    next = attribute.lastIndex
    const name = match[1]!.toLowerCase()
    if (!attributes.has(name)) attributes.set(name, match[2] ?? match[3] ?? match[4] ?? '')
  }
}

function skippedTag(html: string, ending: string, index: number): Tag {
  const end = html.indexOf(ending, index)
  return { name: '', isEnd: false, attributes: new Map(), next: end < 0 ? html.length : end + ending.length }
}
