import { createLowlight } from 'lowlight'
import type { ReactNode } from 'react'
import { visible } from '../ui/visible-text.tsx'

type Language = Parameters<ReturnType<typeof createLowlight>['register']>[1]
type Loader = () => Promise<{ default: Language }>

const typescript: Loader = () => import('highlight.js/lib/languages/typescript')
const javascript: Loader = () => import('highlight.js/lib/languages/javascript')
const bash: Loader = () => import('highlight.js/lib/languages/bash')
const python: Loader = () => import('highlight.js/lib/languages/python')
const yaml: Loader = () => import('highlight.js/lib/languages/yaml')
const xml: Loader = () => import('highlight.js/lib/languages/xml')

/** Languages that agents hand over most, by the names fences use. Each loads when it is first needed. */
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

export async function colourCode(code: string, name: string): Promise<ReactNode> {
  const language = name.toLowerCase()
  const load = languages.get(language)
  if (!load) return undefined
  if (!lowlight.registered(language)) lowlight.register(language, (await load()).default)
  return lowlight.highlight(language, code).children.map(element)
}

type Node = ReturnType<ReturnType<typeof createLowlight>['highlight']>['children'][number]

function element(node: Node, n: number): ReactNode {
  if (node.type === 'text') return visible(node.value)
  if (node.type !== 'element') return null
  const { className } = node.properties
  return (
    <span key={n} className={Array.isArray(className) ? className.join(' ') : undefined}>
      {node.children.map((child, m) => element(child as Node, m))}
    </span>
  )
}
