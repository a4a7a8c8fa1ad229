/** What an email says. Its text and its HTML are both made from this, so that they cannot differ. */
export type MailContent = {
  subject: string
  blocks: MailBlock[]
  /** Small print: why the person gets the email, and links to stop such emails. */
  footer?: { reason: string; links: MailLink[] }
}

/** Text by people and agents must be sanitized already. */
export type MailBlock =
  | { kind: 'head'; label: string; title: string; facts: string; isUrgent: boolean }
  | { kind: 'text'; text: string }
  | { kind: 'lines'; lines: string[] }
  /** `isBare`: in the text version only the URL, without the label. */
  | { kind: 'button'; label: string; url: string; isBare?: true }
  | { kind: 'links'; links: MailLink[] }
  | { kind: 'list'; title: string; items: { title: string; facts: string; url: string }[] }

export type MailLink = { label: string; url: string }

export function mailText({ blocks, footer }: MailContent): string {
  const parts = blocks.map((block) => textLines(block).join('\n'))
  if (footer) parts.push([footer.reason, ...footer.links.map(textLink)].join('\n'))
  return parts.join('\n\n')
}

function textLines(block: MailBlock): string[] {
  switch (block.kind) {
    case 'head':
      return [block.label, block.title, block.facts]
    case 'text':
      return [block.text]
    case 'lines':
      return block.lines
    case 'button':
      return [block.isBare ? block.url : textLink(block)]
    case 'links':
      return block.links.map(textLink)
    case 'list': {
      const items = block.items.map(({ title, facts, url }) => [title, facts, url].join('\n'))
      return [`${block.title}\n`, items.join('\n\n')]
    }
  }
}

function textLink({ label, url }: MailLink): string {
  return `${label}: ${url}`
}
