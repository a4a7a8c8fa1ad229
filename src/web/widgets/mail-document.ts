import { readTag } from './read-tag.ts'

type Html = { toString(): string }
type Policy = { createHTML: (html: string) => Html }
type TrustedTypes = {
  trustedTypes?: { createPolicy: (name: string, rules: { createHTML: (html: string) => string }) => Policy }
}

// By the name that the page's CSP allows. It lets text through: only `mailDocument` has it, and what comes out goes
// into a frame without any rights.
const policy: Policy = (globalThis as TrustedTypes).trustedTypes?.createPolicy('handrail-mail', {
  createHTML: (html) => html,
}) ?? { createHTML: (html) => html }

const kept: ReadonlySet<string> = new Set(
  (
    'a abbr address b bdi blockquote br caption center cite code dd del div dl dt em h1 h2 h3 h4 h5 h6 hr i ins kbd li ' +
    'mark ol p pre q s small span strike strong sub sup table tbody td tfoot th thead tr tt u ul'
  ).split(' '),
)
// Gone with what is in them. Of all other tags the content stays.
const dropped: ReadonlySet<string> = new Set(
  'script style title template noscript noframes noembed iframe xmp textarea'.split(' '),
)
const keptAttributes = [
  'align',
  'valign',
  'colspan',
  'rowspan',
  'dir',
  'lang',
  'start',
  'border',
  'cellpadding',
]

// Neither the page's policy nor the frame's lets a style be set; these old attributes make paper and ink of it.
const begin =
  '<!doctype html><html><head><meta charset="utf-8">' +
  '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; img-src data:"></head>' +
  '<body bgcolor="#ffffff" text="#1c2527"><font face="IBM Plex Sans Variable, system-ui, sans-serif" size="2">'
const end = '</font></body></html>'

/** A mail with its text, its structure and the pictures it brought along, and what was left out in words. */
export function mailDocument(html: string): { document: Html; notes: string[] } {
  const { body, pictures, scripts } = clean(html)
  const notes = []
  if (pictures > 0)
    notes.push(`${pictures === 1 ? '1 picture' : `${pictures} pictures`} elsewhere not loaded.`)
  if (scripts > 0) notes.push('Scripts left out.')
  return { document: policy.createHTML(begin + body + end), notes }
}

/** In one pass from the left: whatever is not known to be harmless is not copied. */
export function clean(html: string): { body: string; pictures: number; scripts: number } {
  const parts: string[] = []
  const links: string[] = []
  let pictures = 0
  let scripts = 0
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    parts.push(escaped(html.slice(at, open < 0 ? undefined : open)))
    if (open < 0) break
    const tag = readTag(html, open)
    if (!tag) {
      parts.push('&lt;')
      at = open + 1
      continue
    }
    at = tag.next
    const { name, isEnd, attributes } = tag
    if (dropped.has(name) && !isEnd) {
      if (name === 'script') scripts++
      at = afterEnd(html, at, name)
    } else if (name === 'img' && !isEnd) {
      const source = attributes.get('src') ?? ''
      const alt = escaped(attributes.get('alt') ?? '')
      const isData = /^data:image\/(png|jpeg|gif|webp);/i.test(source)
      if (!isData) pictures++
      parts.push(isData ? `<img src="${escaped(source)}" alt="${alt}">` : `[Picture${alt && `: ${alt}`}]`)
    } else if (kept.has(name)) {
      // A link in a frame without rights leads nowhere, and a reader must see where it would have led.
      if (name === 'a') {
        const address = isEnd ? links.pop() : undefined
        if (address) parts.push(` ⟨${escaped(address.slice(0, 500))}⟩`)
        if (!isEnd) links.push(attributes.get('href') ?? '')
      }
      parts.push(isEnd ? `</${name}>` : `<${name}${copied(attributes)}>`)
    }
  }
  return { body: parts.join(''), pictures, scripts }
}

function copied(attributes: ReadonlyMap<string, string>): string {
  return keptAttributes
    .filter((name) => attributes.has(name))
    .map((name) => ` ${name}="${escaped(attributes.get(name) ?? '')}"`)
    .join('')
}

/** Character references stay as they are. */
function escaped(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** Where an element ends whose content is no HTML; the end of all when it does not. */
function afterEnd(html: string, from: number, name: string): number {
  const close = new RegExp(`</${name}[^>]*>`, 'gi')
  close.lastIndex = from
  return close.test(html) ? close.lastIndex : html.length
}
