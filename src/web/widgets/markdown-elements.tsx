import MarkdownIt, { type Token } from 'markdown-it'
import { createElement, type ReactNode } from 'react'
import { visible } from '../ui/visible-text.tsx'
import { CodeBlock } from './code-block.tsx'
import { Picture } from './picture.tsx'

// No HTML, bounded nesting. Links only where an address is written out; guessing them costs time on long texts.
const maxNesting = 60
const parser = new MarkdownIt({ html: false, linkify: true, maxNesting })
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
// A long report has some thousand; a hundred thousand table cells would hold up the page for seconds.
const mostTokens = 20_000

const plainTags = new Set([
  ...['p', 'ul', 'li', 'blockquote', 'strong', 'em', 's', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
])

/**
 * Markdown as React elements, never as HTML: nothing to sanitise, and Trusted Types hold. Undefined when it is nested
 * so deep that the parser left something out, or is too much to draw: then the text itself has to be shown.
 */
export function renderMarkdown(text: string): ReactNode[] | undefined {
  const tokens = parser.parse(text, {})
  if (tokens.some((token) => token.level >= maxNesting - 1)) return undefined
  const inner = tokens.reduce((sum, token) => sum + (token.children?.length ?? 0), 0)
  if (tokens.length + inner > mostTokens) return undefined
  return new Renderer(tokens).elements()
}

class Renderer {
  readonly #tokens: Token[]
  #at = 0

  constructor(tokens: Token[]) {
    this.#tokens = tokens
  }

  /** Elements up to the end, or to the token that closes the element they stand in. */
  elements(): ReactNode[] {
    const found: ReactNode[] = []
    for (let token = this.#next(); token && token.nesting >= 0; token = this.#next()) {
      const element = this.#element(token)
      found.push(
        typeof element === 'object' && element ? <Keyed key={found.length}>{element}</Keyed> : element,
      )
    }
    return found
  }

  #next(): Token | undefined {
    return this.#tokens[this.#at++]
  }

  #element(token: Token): ReactNode {
    switch (token.type) {
      case 'inline':
        return new Renderer(token.children ?? []).elements()
      case 'text':
      case 'html_block':
      case 'html_inline':
        return visible(token.content)
      case 'code_inline':
        // A short name stays in one piece; a long one must be able to break.
        return (
          <code className={token.content.length <= 32 ? 'whitespace-nowrap' : undefined}>
            {visible(token.content)}
          </code>
        )
      case 'fence':
      case 'code_block':
        return (
          <CodeBlock
            code={token.content.replace(/\n$/, '')}
            language={token.info.trim().split(/\s+/)[0] ?? ''}
          />
        )
      case 'softbreak':
        return '\n'
      case 'hardbreak':
        return <br />
      case 'hr':
        return <hr />
      case 'image':
        return <Picture address={String(token.attrGet('src') ?? '')} alt={token.content} />
    }
    const children = token.nesting === 1 ? this.elements() : []
    if (token.type === 'link_open')
      return <Anchor address={String(token.attrGet('href') ?? '')}>{children}</Anchor>
    if (token.type === 'ordered_list_open')
      return <ol start={Number(token.attrGet('start') ?? 1)}>{children}</ol>
    // Headings of a document inside a page would break the page's own outline.
    if (token.type === 'heading_open')
      return <p className={`h${Math.min(4, Number(token.tag[1]))}`}>{children}</p>
    if (token.type === 'table_open') return <MarkdownTable>{children}</MarkdownTable>
    if (token.type === 'paragraph_open' && token.hidden) return children
    return plainTags.has(token.tag) ? createElement(token.tag, null, ...children) : children
  }
}

function Keyed({ children }: { children: ReactNode }) {
  return children
}

function Anchor({ address, children }: { address: string; children: ReactNode }) {
  if (!/^(https?|mailto):/i.test(address)) return <span title={address}>{children}</span>
  return (
    <a className="link" href={address} title={address} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}

function MarkdownTable({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y: a box that scrolls must take focus, and then it needs a role and a name
    <div className="table-scroll" role="group" tabIndex={0} aria-label="Table">
      <table>{children}</table>
    </div>
  )
}
