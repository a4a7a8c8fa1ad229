// npm run example by-wait: runs one of examples/ against a running service.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { server } from './lib/builds.mjs'
import { ensureBuilt, ensureInstalled } from './prepare.mjs'

const examples = new URL('../examples/', import.meta.url)
const names = readdirSync(examples).flatMap((file) => (file.endsWith('.ts') ? [file.slice(0, -3)] : []))
const [name] = process.argv.slice(2)
if (!names.includes(name)) {
  console.error(`Choose an example: ${names.join(', ')}. See examples/README.md for what each one does.`)
  process.exit(1)
}
if (!process.env.HANDRAIL_API_KEY) {
  console.error(
    'Set HANDRAIL_API_KEY to a key from Settings, Connect an agent, and HANDRAIL_URL if the service is not at http://127.0.0.1:3000.',
  )
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
