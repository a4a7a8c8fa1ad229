export type ReceivedMail = {
  to: string[]
  /** As it was sent. */
  raw: string
  /** By lower-case name, unfolded and decoded. */
  headers: Record<string, string>
  /** The headers and the plain text, decoded. */
  text: string
  /** Only the plain text. */
  plain: string
  html: string
}

/** Reads what our mailer writes: one level of multipart, quoted-printable or base64, UTF-8. */
export function readMail(to: string[], raw: string): ReceivedMail {
  const { headers, body } = readPart(raw)
  const boundary = /boundary="?([^";]+)"?/.exec(headers['content-type'] ?? '')?.[1]
  const parts = boundary
    ? body
        .split(`--${boundary}`)
        .slice(1, -1)
        .map((part) => readPart(part.replace(/^\n/, '')))
    : [{ headers, body }]
  const find = (type: string) => {
    const part = parts.find((one) => (one.headers['content-type'] ?? 'text/plain').startsWith(type))
    return part ? decodeBody(part.body, part.headers['content-transfer-encoding'] ?? '7bit') : ''
  }
  const head = Object.entries(headers).map(([name, value]) => `${capitalized(name)}: ${value}`)
  const plain = find('text/plain')
  return { to, raw, headers, plain, text: `${head.join('\n')}\n\n${plain}`, html: find('text/html') }
}

function readPart(text: string): { headers: Record<string, string>; body: string } {
  const end = text.indexOf('\n\n')
  const lines = text
    .slice(0, end)
    .replace(/\n[ \t]+/g, ' ')
    .split('\n')
  const headers = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), decodeWords(line.slice(colon + 1).trim())]
  })
  return { headers: Object.fromEntries(headers), body: text.slice(end + 2) }
}

function decodeBody(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding === 'quoted-printable') return decodeQuoted(body.replace(/=\n/g, ''))
  return body
}

function decodeQuoted(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  // What is not encoded is ASCII.
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** RFC 2047. */
function decodeWords(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_, encoding: string, text: string) =>
      encoding.toUpperCase() === 'B'
        ? Buffer.from(text, 'base64').toString('utf8')
        : decodeQuoted(text.replaceAll('_', ' ')),
    )
}

function capitalized(name: string): string {
  return name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
}
