import MarkdownIt, { type Token } from 'markdown-it'
import { type ComponentType, createElement, Fragment, type ReactNode } from 'react'
import { bidiSafe } from '../ui/bidi-safe.tsx'
import { CodeBlock } from './code-block.tsx'
import markdownStyles from './markdown.module.css'
import { type Marks, markedText } from './marks.tsx'
import { Picture } from './picture.tsx'
import widgetsStyles from './widgets.module.css'

// HTML is not parsed, and nesting is limited. Only full URLs are linked, because fuzzy matching is slow
// on long texts.
const maxNesting = 60
const parser = new MarkdownIt({ html: false, linkify: true, maxNesting })
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
// A long report has a few thousand tokens; a hundred thousand would block the page for seconds.
const maxTokens = 20_000

// Blocks take the direction of their text, so that a Hebrew list has its bullets on the right.
const blockTags = new Set(['p', 'ul', 'li', 'blockquote', 'th', 'td'])
const plainTags = new Set([...blockTags, 'strong', 'em', 's', 'table', 'thead', 'tbody', 'tr'])

/**
 * Markdown as React elements, never as HTML, so there is nothing to sanitize. Undefined if it is
 * nested too deeply or too long; the caller then shows the source text.
 */
export function renderMarkdown(
  text: string,
  marks?: Marks,
  anchor: ComponentType<AnchorProps> = Anchor,
): ReactNode[] | undefined {
  const tokens = parse(text)
  return tokens && new Renderer(tokens, new MarkCursor(marks), anchor).elements()
}

/** The prose pieces and code blocks of a document, in rendering order. */
export function splitProseAndCode(text: string): { prose: string[]; code: string[] } | undefined {
  const tokens = parse(text)
  if (!tokens) return undefined
  const prose: string[] = []
  const code: string[] = []
  for (const token of withChildren(tokens)) {
    if (proseTokens.has(token.type)) prose.push(token.content)
    else if (codeTokens.has(token.type)) code.push(codeOf(token))
  }
  return { prose, code }
}

function parse(text: string): Token[] | undefined {
  const tokens = parser.parse(text, {})
  const all = withChildren(tokens)
  // The parser itself does not limit how deeply emphasis is nested.
  return all.length > maxTokens || all.some(({ level }) => level >= maxNesting - 1) ? undefined : tokens
}

function withChildren(tokens: Token[]): Token[] {
  return tokens.flatMap((token) => [token, ...(token.children ?? [])])
}

const proseTokens = new Set(['text', 'code_inline'])
const codeTokens = new Set(['fence', 'code_block'])

function codeOf(token: Token): string {
  return token.content.replace(/\n$/, '')
}

/** Tracks the current word and code block while rendering, to look up their marks. */
class MarkCursor {
  readonly #marks: Marks | undefined
  #word = 0
  #block = 0

  constructor(marks: Marks | undefined) {
    this.#marks = marks
  }

  prose(text: string): ReactNode {
    if (!this.#marks) return bidiSafe(text)
    const { elements, next } = markedText(text, this.#marks.words, this.#word)
    this.#word = next
    return elements
  }

  lines(): ReadonlySet<number> | undefined {
    return this.#marks?.lines[this.#block++]
  }
}

class Renderer {
  readonly #tokens: Token[]
  readonly #cursor: MarkCursor
  readonly #anchor: ComponentType<AnchorProps>
  #index = 0

  constructor(tokens: Token[], cursor: MarkCursor, anchor: ComponentType<AnchorProps>) {
    this.#tokens = tokens
    this.#cursor = cursor
    this.#anchor = anchor
  }

  /** Elements up to the end, or to the token that closes the parent. */
  elements(): ReactNode[] {
    const found: ReactNode[] = []
    for (let token = this.#next(); token && token.nesting >= 0; token = this.#next()) {
      const element = this.#element(token)
      found.push(
        typeof element === 'object' && element ? <Fragment key={found.length}>{element}</Fragment> : element,
      )
    }
    return found
  }

  #next(): Token | undefined {
    return this.#tokens[this.#index++]
  }

  #element(token: Token): ReactNode {
    switch (token.type) {
      case 'inline':
        return new Renderer(token.children ?? [], this.#cursor, this.#anchor).elements()
      case 'text':
        return this.#cursor.prose(token.content)
      case 'code_inline':
        // Short code is kept on one line. Long code must wrap.
        return (
          <code className={token.content.length <= 32 ? 'nowrap' : undefined}>
            {this.#cursor.prose(token.content)}
          </code>
        )
      case 'fence':
      case 'code_block':
        return (
          <CodeBlock
            code={codeOf(token)}
            language={token.info.trim().split(/\s+/)[0] ?? ''}
            marked={this.#cursor.lines()}
          />
        )
      case 'softbreak':
        return '\n'
      case 'hardbreak':
        return <br />
      case 'hr':
        return <hr />
      case 'image':
        return <Picture url={String(token.attrGet('src') ?? '')} alt={token.content} />
    }
    const children = token.nesting === 1 ? this.elements() : []
    if (token.type === 'link_open')
      return createElement(this.#anchor, { href: String(token.attrGet('href') ?? '') }, children)
    if (token.type === 'ordered_list_open')
      return (
        <ol start={Number(token.attrGet('start') ?? 1)} dir="auto">
          {children}
        </ol>
      )
    // Real headings would break the outline of the page.
    if (token.type === 'heading_open')
      return (
        <p className={markdownStyles[`h${Math.min(4, Number(token.tag[1]))}`]} dir="auto">
          {children}
        </p>
      )
    if (token.type === 'table_open') return <MarkdownTable>{children}</MarkdownTable>
    if (token.type === 'paragraph_open' && token.hidden) return children
    if (!plainTags.has(token.tag)) return children
    return createElement(token.tag, blockTags.has(token.tag) ? { dir: 'auto' } : null, ...children)
  }
}

export type AnchorProps = { href: string; children?: ReactNode }

function Anchor({ href, children }: AnchorProps) {
  if (!/^(https?|mailto):/i.test(href)) return <span title={href}>{children}</span>
  return (
    <a className="link" href={href} title={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}

function MarkdownTable({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y: a scrollable box must be focusable, and then it needs a role and a name
    <div className={widgetsStyles.tableScroll} role="group" tabIndex={0} aria-label="Table">
      <table>{children}</table>
    </div>
  )
}
