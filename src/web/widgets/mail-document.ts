import { canShowImmediately } from './picture-size.ts'
import { readTag } from './read-tag.ts'

type Html = { toString(): string }
type TrustedTypesPolicy = { createHTML: (html: string) => Html }
type TrustedTypes = {
  trustedTypes?: {
    createPolicy: (name: string, rules: { createHTML: (html: string) => string }) => TrustedTypesPolicy
  }
}

// The CSP allows a policy of this name. The policy passes HTML unchanged, which is safe because only
// `mailDocument` uses it, whose output is shown in a sandboxed frame.
const policy: TrustedTypesPolicy = (globalThis as TrustedTypes).trustedTypes?.createPolicy('handrail-mail', {
  createHTML: (html) => html,
}) ?? { createHTML: (html) => html }

const allowedTags: ReadonlySet<string> = new Set(
  (
    'a abbr address b bdi blockquote br caption center cite code dd del div dl dt em h1 h2 h3 h4 h5 h6 hr i ins kbd li ' +
    'mark ol p pre q s small span strike strong sub sup table tbody td tfoot th thead tr tt u ul'
  ).split(' '),
)
// Removed with their content, which mail programs do not show. For all other tags the content is
// kept.
const droppedTags: ReadonlySet<string> = new Set(
  'script style title template noframes noembed iframe'.split(' '),
)
// The content of these tags is text, even if it looks like tags.
const textTags: ReadonlySet<string> = new Set(['textarea', 'xmp'])
// Mail programs may show content for these tags that is not shown here.
const embeddedTags: ReadonlySet<string> = new Set(
  'iframe frame object embed video audio canvas svg math input'.split(' '),
)
const allowedAttributes = [
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

// The CSP forbids styles, so old presentational attributes set the colors and the font.
const documentStart =
  '<!doctype html><html><head><meta charset="utf-8">' +
  '<meta http-equiv="Content-Security-TrustedTypesPolicy" content="default-src \'none\'; img-src data:"></head>' +
  '<body bgcolor="#ffffff" text="#1c2527"><font face="IBM Plex Sans Variable, system-ui, sans-serif" size="2">'
const documentEnd = '</font></body></html>'

/** A sanitized email with its inline images, and notes about what was removed. */
export function mailDocument(html: string): { document: Html; notes: string[] } {
  const { body, pictures, scripts, embedded } = sanitizeMail(html)
  const notes = []
  if (pictures > 0)
    notes.push(pictures === 1 ? "1 image wasn't loaded." : `${pictures} images weren't loaded.`)
  if (scripts > 0) notes.push('Scripts were removed.')
  if (embedded > 0) notes.push('Frames, media or form fields were removed.')
  return { document: policy.createHTML(documentStart + body + documentEnd), notes }
}

/** Copies only allowed tags and attributes, in one pass. */
export function sanitizeMail(html: string) {
  const parts: string[] = []
  let target = ''
  /** Links do not work in the sandbox, so the target is shown as text. */
  const closeLink = () => {
    if (target) parts.push(` ⟨${escapeHtml(target.slice(0, 500))}⟩`)
    target = ''
  }
  let pictures = 0
  let scripts = 0
  let embedded = 0
  let position = 0
  while (position < html.length) {
    const open = html.indexOf('<', position)
    parts.push(escapeHtml(html.slice(position, open < 0 ? undefined : open)))
    if (open < 0) break
    const tag = readTag(html, open)
    if (!tag) {
      parts.push('&lt;')
      position = open + 1
      continue
    }
    position = tag.next
    const { name, isEnd, attributes } = tag
    if (embeddedTags.has(name) && !isEnd) embedded++
    if (droppedTags.has(name) && !isEnd) {
      if (name === 'script') scripts++
      position = closingTag(html, position, name).end
    } else if (textTags.has(name) && !isEnd) {
      const closing = closingTag(html, position, name)
      parts.push(`<pre>${escapeHtml(html.slice(position, closing.start))}</pre>`)
      position = closing.end
    } else if (name === 'img' && !isEnd) {
      const source = attributes.get('src') ?? ''
      const alt = escapeHtml(attributes.get('alt') ?? '')
      const isShown = canShowImmediately(source)
      if (!isShown) pictures++
      parts.push(isShown ? `<img src="${escapeHtml(source)}" alt="${alt}">` : `[Image${alt && `: ${alt}`}]`)
    } else if (allowedTags.has(name)) {
      // As in browsers, the start of a link also ends the link before it.
      if (name === 'a') {
        closeLink()
        if (!isEnd) target = attributes.get('href') ?? ''
      }
      parts.push(isEnd ? `</${name}>` : `<${name}${serializeAttributes(attributes)}>`)
    }
  }
  closeLink()
  return { body: parts.join(''), pictures, scripts, embedded }
}

function serializeAttributes(attributes: ReadonlyMap<string, string>): string {
  return allowedAttributes
    .filter((name) => attributes.has(name))
    .map((name) => ` ${name}="${escapeHtml(attributes.get(name) ?? '')}"`)
    .join('')
}

/** Escapes all but `&`, so that character references still work. */
function escapeHtml(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

/** Where the closing tag starts and ends. Without one, the content extends to the end of the text. */
function closingTag(html: string, from: number, name: string): { start: number; end: number } {
  // The pattern has no repetition, so that the search takes linear time.
  const closing = new RegExp(`</${name}[\\t\\n\\f\\r />]`, 'gi')
  closing.lastIndex = from
  const start = closing.exec(html)?.index ?? html.length
  return { start, end: readTag(html, start)?.next ?? html.length }
}
