import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join, posix } from 'node:path'
import ts from 'typescript'

/**
 * Per source file of src, without tests: what it imports, re-exports and imports dynamically, also
 * types. A file is named by its path, a package node_modules/<name>, a module of Node node:<name>.
 */
export type ImportGraph = Map<string, Set<string>>

const nothing: ReadonlySet<string> = new Set()

export function readImports(folder: string): ImportGraph {
  const files = readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
    .map((path) => `src/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
  return new Map(
    files.map((file) => {
      const { importedFiles } = ts.preProcessFile(readFileSync(join(folder, file), 'utf8'), true, true)
      return [file, new Set(importedFiles.map(({ fileName }) => nameOf(fileName, file)))]
    }),
  )
}

function nameOf(specifier: string, importer: string): string {
  if (isBuiltin(specifier)) return specifier.startsWith('node:') ? specifier : `node:${specifier}`
  // Without what Vite reads, as in icon.svg?raw.
  if (specifier.startsWith('.')) return posix.join(posix.dirname(importer), specifier.replace(/\?.*$/, ''))
  return `node_modules/${specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')}`
}

/** As "importer -> imported". */
export function findMissing(folder: string, graph: ImportGraph): string[] {
  const isMissing = (name: string) => !name.startsWith('node:') && !existsSync(join(folder, name))
  return [...graph].flatMap(([file, imports]) =>
    [...imports].filter(isMissing).map((name) => `${file} -> ${name}`),
  )
}

/** Groups of files of which each imports all others, directly or not. */
export function findCycles(graph: ImportGraph): string[][] {
  const found: string[][] = []
  const orders = new Map<string, number>()
  const stack: string[] = []
  /** Tarjan's algorithm: returns the first file on the stack that this one leads to. */
  const visit = (file: string): number => {
    const order = orders.size
    orders.set(file, order)
    const height = stack.push(file) - 1
    let earliest = order
    for (const name of graph.get(file) ?? nothing)
      if (graph.has(name)) {
        const seen = orders.get(name)
        if (seen === undefined) earliest = Math.min(earliest, visit(name))
        else if (stack.includes(name)) earliest = Math.min(earliest, seen)
      }
    if (earliest < order) return earliest
    const group = stack.splice(height)
    if (group.length > 1 || graph.get(file)?.has(file)) found.push(group)
    return earliest
  }
  for (const file of graph.keys()) if (!orders.has(file)) visit(file)
  return found
}
