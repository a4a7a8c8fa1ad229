import { createLowlight } from 'lowlight'
import type { ReactNode } from 'react'
import { bidiSafe } from '../ui/bidi-safe.tsx'

type Language = Parameters<ReturnType<typeof createLowlight>['register']>[1]
type Loader = () => Promise<{ default: Language }>

const typescript: Loader = () => import('highlight.js/lib/languages/typescript')
const javascript: Loader = () => import('highlight.js/lib/languages/javascript')
const bash: Loader = () => import('highlight.js/lib/languages/bash')
const python: Loader = () => import('highlight.js/lib/languages/python')
const yaml: Loader = () => import('highlight.js/lib/languages/yaml')
const xml: Loader = () => import('highlight.js/lib/languages/xml')

/** Common languages by their names in Markdown fences. Each grammar loads on first use. */
const languages = new Map<string, Loader>([
  ['ts', typescript],
  ['tsx', typescript],
  ['typescript', typescript],
  ['js', javascript],
  ['jsx', javascript],
  ['javascript', javascript],
  ['json', () => import('highlight.js/lib/languages/json')],
  ['sh', bash],
  ['bash', bash],
  ['shell', bash],
  ['py', python],
  ['python', python],
  ['sql', () => import('highlight.js/lib/languages/sql')],
  ['yml', yaml],
  ['yaml', yaml],
  ['html', xml],
  ['xml', xml],
  ['css', () => import('highlight.js/lib/languages/css')],
  ['diff', () => import('highlight.js/lib/languages/diff')],
  ['go', () => import('highlight.js/lib/languages/go')],
  ['java', () => import('highlight.js/lib/languages/java')],
])
const lowlight = createLowlight()

/** Returns one element per line, or undefined for an unsupported language. */
export async function highlightCode(code: string, name: string): Promise<ReactNode[] | undefined> {
  const language = name.toLowerCase()
  const load = languages.get(language)
  if (!load) return undefined
  if (!lowlight.registered(language)) lowlight.register(language, (await load()).default)
  const lines: ReactNode[][] = [[]]
  collectLines(lowlight.highlight(language, code).children, undefined, lines)
  return lines
}

type Node = ReturnType<ReturnType<typeof createLowlight>['highlight']>['children'][number]

/**
 * Adds the tokens to `lines`. Tokens are split at line breaks, because a comment may span several
 * lines.
 */
function collectLines(nodes: Node[], className: string | undefined, lines: ReactNode[][]): void {
  for (const node of nodes) {
    if (node.type === 'element') {
      const names = node.properties.className
      collectLines(node.children as Node[], Array.isArray(names) ? names.join(' ') : className, lines)
    } else if (node.type === 'text') {
      node.value.split('\n').forEach((text, n) => {
        if (n > 0) lines.push([])
        const line = lines.at(-1)!
        if (text !== '')
          line.push(
            <span key={line.length} className={className}>
              {bidiSafe(text)}
            </span>,
          )
      })
    }
  }
}
