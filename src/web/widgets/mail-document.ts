type Html = { toString(): string }
type Policy = { createHTML: (html: string) => Html }
type TrustedTypes = {
  trustedTypes?: { createPolicy: (name: string, rules: { createHTML: (html: string) => string }) => Policy }
}

/**
 * The one Trusted Types policy of the page, by the name that its CSP allows. It lets text through, because what comes
 * out goes to two places only: a parser whose document never runs anything, and a frame without any rights.
 */
const policy: Policy = (globalThis as TrustedTypes).trustedTypes?.createPolicy('mail-frame', {
  createHTML: (html) => html,
}) ?? { createHTML: (html) => html }

const tags: ReadonlySet<string> = new Set(
  (
    'a abbr address article b bdi bdo blockquote body br caption center cite code col colgroup dd del div dl dt em font ' +
    'footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark ol p pre q s section small span strike strong sub ' +
    'sup table tbody td tfoot th thead time tr tt u ul'
  ).split(' '),
)
// Gone with all that is in them. Other unknown tags go, but their content stays.
const dropped: ReadonlySet<string> = new Set(
  'script style template noscript iframe frame object embed svg math head title link meta base textarea select'.split(
    ' ',
  ),
)
const attributes: ReadonlySet<string> = new Set(
  'alt align valign colspan rowspan dir lang start title width height border cellpadding cellspacing'.split(
    ' ',
  ),
)

// No style may be set, by the policies of the page and of the frame; these old attributes make it readable.
const begin =
  '<!doctype html><html><head><meta charset="utf-8">' +
  '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; img-src data:"></head>' +
  '<body bgcolor="#ffffff" text="#1c2527"><font face="IBM Plex Sans Variable, system-ui, sans-serif" size="2">'
const end = '</font></body></html>'

/** A mail with only its text, its structure and the pictures it brought along; and what was left out, in words. */
export function mailDocument(html: string): { document: Html; notes: string[] } {
  const parsed = new DOMParser().parseFromString(policy.createHTML(html) as string, 'text/html')
  const clean = document.implementation.createHTMLDocument('')
  const left = { pictures: 0, scripts: 0 }
  const box = clean.createElement('div')
  for (const child of parsed.body.childNodes) copy(child, box, clean, left)
  const notes = [
    left.pictures > 0 &&
      `${left.pictures === 1 ? '1 picture' : `${left.pictures} pictures`} elsewhere not loaded.`,
    left.scripts > 0 && 'Scripts and forms left out.',
  ].filter((note) => note !== false)
  return { document: policy.createHTML(begin + box.innerHTML + end), notes }
}

function copy(node: Node, to: Element, clean: Document, left: { pictures: number; scripts: number }): void {
  if (node.nodeType === Node.TEXT_NODE) {
    to.append(clean.createTextNode(node.textContent ?? ''))
    return
  }
  if (!(node instanceof Element)) return
  const tag = node.localName
  if (dropped.has(tag)) {
    if (tag !== 'style' && tag !== 'head' && tag !== 'title' && tag !== 'meta') left.scripts++
    return
  }
  if (tag === 'img') {
    copyPicture(node, to, clean, left)
    return
  }
  let inner = to
  if (tags.has(tag) && tag !== 'body') {
    inner = clean.createElement(tag)
    for (const { name, value } of node.attributes) if (attributes.has(name)) inner.setAttribute(name, value)
    to.append(inner)
  }
  for (const child of node.childNodes) copy(child, inner, clean, left)
  // A link in a frame without rights leads nowhere, and a reader must see where it would have led.
  const address = tag === 'a' ? node.getAttribute('href') : null
  if (address && address !== node.textContent)
    inner.append(clean.createTextNode(` ⟨${address.slice(0, 500)}⟩`))
}

function copyPicture(node: Element, to: Element, clean: Document, left: { pictures: number }): void {
  const source = node.getAttribute('src') ?? ''
  const alt = node.getAttribute('alt') ?? ''
  if (/^data:image\/(png|jpeg|gif|webp);/i.test(source)) {
    const picture = clean.createElement('img')
    picture.setAttribute('src', source)
    picture.setAttribute('alt', alt)
    to.append(picture)
    return
  }
  left.pictures++
  to.append(clean.createTextNode(`[Picture${alt ? `: ${alt}` : ''}]`))
}
