// npm run example by-wait: one of examples/ against a service that is running somewhere.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { server } from './lib/builds.mjs'
import { ensureBuilt, ensureInstalled } from './prepare.mjs'

const examples = new URL('../examples/', import.meta.url)
const names = readdirSync(examples).flatMap((file) => (file.endsWith('.ts') ? [file.slice(0, -3)] : []))
const [name] = process.argv.slice(2)
if (!names.includes(name)) {
  console.error(`Say which example: ${names.join(', ')}. They are told in examples/README.md.`)
  process.exit(1)
}

await ensureInstalled()
await ensureBuilt([server])
const { default: ts } = await import('typescript')
const { outputText } = ts.transpileModule(readFileSync(new URL(`${name}.ts`, examples), 'utf8'), {
  compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
})
const built = new URL(`../dist/examples/${name}.js`, import.meta.url)
mkdirSync(new URL('.', built), { recursive: true })
writeFileSync(built, outputText)
await import(pathToFileURL(built.pathname).href)
