// Builds the card that MCP hosts show in a chat: one HTML file, because a host loads nothing else.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { rolldown } from 'rolldown'
import { inRoot } from './lib/root.mjs'

const read = (file) => readFileSync(inRoot(file), 'utf8')

const bundle = await rolldown({ cwd: inRoot(), input: inRoot('src/web/card/main.ts'), platform: 'browser' })
const { output } = await bundle.generate({ format: 'iife', minify: true })
await bundle.close()
const script = output[0].code
const style = read('src/web/styles/tokens.css') + read('src/web/card/card.css')
if (/<\/(script|style)/i.test(script + style))
  throw new Error('The script or style of the card contains a closing tag, which would end it early.')

const html = read('src/web/card/card.html')
  .replace('<style></style>', () => `<style>\n${style}</style>`)
  .replace('<script></script>', () => `<script>\n${script}</script>`)
mkdirSync(inRoot('dist/card'), { recursive: true })
writeFileSync(inRoot('dist/card/card.html'), html)
