import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { afterAll, describe, expect, test } from 'vitest'
import { findCycles, findMissing, readImports } from './support/import-graph.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

const belowParts = ['contract', 'client', 'web/lib', 'web/ui', 'web/widgets', 'web/styles']
const features = readdirSync(join(root, 'src/web/features'))

/** What each folder may import besides itself. A folder without a row fails the test. */
const allowedImports: Record<string, string[]> = {
  contract: [],
  client: ['contract'],
  'web/lib': ['contract', 'client'],
  'web/ui': ['contract', 'client', 'web/lib'],
  'web/widgets': ['contract', 'web/lib', 'web/ui'],
  'web/parts/answers': [...belowParts],
  'web/parts/form': [...belowParts],
  'web/parts/shell': [...belowParts, 'web/parts/answers'],
  'web/parts/task-list': [...belowParts, 'web/parts/answers'],
  'web/parts/task-view': [...belowParts, 'web/parts/answers', 'web/parts/form'],
  // Features do not import each other. Code that two of them share belongs into a part.
  ...Object.fromEntries(features.map((feature) => [`web/features/${feature}`, [...belowParts, 'web/parts']])),
  'web/app': [...belowParts, 'web/parts', 'web/features'],
  // Built by itself into one file.
  'web/card': ['contract', 'web/lib'],
  'web/main.tsx': [...belowParts, 'web/app', 'web/app.css'],
  'server/lib': ['contract'],
  'server/postgres': ['server/lib'],
  'server/storage': ['contract', 'server/lib'],
  // Below the subjects: imports none of them. Schema, policies and start-up SQL are here, because
  // every start runs them.
  'server/storage/engine': ['contract', 'server/lib'],
  'server/domain': ['contract', 'server/lib', 'server/storage'],
  'server/rest': ['contract', 'server/lib', 'server/domain'],
  'server/jobs': ['contract', 'server/lib', 'server/domain'],
  'server/mcp': ['contract', 'client', 'server/lib'],
  'server/environment-variables.ts': ['server/lib'],
  'server/config.ts': ['server/environment-variables.ts', 'server/lib'],
  'server/version.ts': [],
  'server/listen.ts': ['server/lib'],
  'server/secrets.ts': ['server/config.ts', 'server/lib', 'server/storage'],
  'server/backup': [
    ...['server/config.ts', 'server/secrets.ts', 'server/version.ts'],
    ...['server/lib', 'server/postgres', 'server/storage'],
  ],
  'server/public-url.ts': [],
  'server/open-service.ts': [
    ...['server/config.ts', 'server/secrets.ts', 'server/public-url.ts'],
    ...['server/lib', 'server/postgres', 'server/storage', 'server/domain'],
  ],
  'server/mcp-entry-point.ts': [
    ...['server/config.ts', 'server/version.ts', 'server/public-url.ts', 'server/lib', 'server/mcp'],
  ],
  'server/separate-mcp.ts': [
    ...['server/config.ts', 'server/secrets.ts', 'server/version.ts', 'server/public-url.ts'],
    ...['server/open-service.ts', 'server/mcp-entry-point.ts', 'server/lib', 'server/storage', 'server/mcp'],
  ],
  'server/entry-points.ts': [
    ...['server/config.ts', 'server/version.ts', 'server/public-url.ts'],
    ...[
      'server/open-service.ts',
      'server/mcp-entry-point.ts',
      'server/lib',
      'server/storage',
      'server/domain',
    ],
    ...['server/rest', 'server/jobs', 'server/mcp'],
  ],
  'server/compose.ts': ['server/open-service.ts', 'server/entry-points.ts', 'server/domain'],
  'server/workers': ['server/config.ts', 'server/lib', 'server/listen.ts', 'server/postgres'],
  'server/serve.ts': [
    ...['server/config.ts', 'server/compose.ts', 'server/separate-mcp.ts', 'server/workers'],
    ...['server/public-url.ts', 'server/listen.ts', 'server/lib', 'server/domain'],
  ],
  'server/main.ts': [
    ...['server/config.ts', 'server/version.ts', 'server/serve.ts', 'server/workers', 'server/lib'],
  ],
  // Commands use the service without its entry points.
  cli: [
    ...['contract', 'client', 'server/config.ts', 'server/version.ts', 'server/open-service.ts'],
    ...['server/public-url.ts', 'server/lib', 'server/domain', 'server/backup'],
  ],
}

/** The folders that may import these packages. */
const packageUsers: Record<string, string[]> = {
  pg: ['server/storage', 'server/postgres'],
  'pg-copy-streams': ['server/storage'],
  kysely: ['server/storage'],
  hono: ['server/rest', 'server/mcp'],
}

/** The only packages of the contract, which clients must be able to use as it is. */
const contractPackages = ['zod']

type Rule = { name: string; from: RegExp; allowed(imported: string): boolean }

const rules: Rule[] = [
  ...Object.entries(allowedImports).map(([source, others]) => ({
    name: `from ${source}`,
    from: pathPattern([source]),
    allowed: (imported: string) =>
      !/^src\//.test(imported) || pathPattern([source, ...others]).test(imported),
  })),
  ...Object.entries(packageUsers).map(([name, sources]) => ({
    name: `${name} elsewhere`,
    from: new RegExp(`^(?!${pathPattern(sources).source})`),
    allowed: (imported: string) => imported !== `node_modules/${name}`,
  })),
  {
    name: 'from contract to packages',
    from: pathPattern(['contract']),
    allowed: (imported) =>
      pathPattern(['contract']).test(imported) ||
      contractPackages.some((name) => imported === `node_modules/${name}`),
  },
]

function pathPattern(sources: string[]): RegExp {
  const ends = sources.map((source) => `${source.replaceAll('.', '\\.')}${/\.\w+$/.test(source) ? '$' : '/'}`)
  return new RegExp(`^src/(${ends.join('|')})`)
}

const hasRow = pathPattern(Object.keys(allowedImports))
// Widgets show nested values with other widgets, so they may import each other in a cycle.
const mayBeInCycle = (file: string) => file.startsWith('src/web/widgets/')

function analyzeImports(folder: string) {
  const graph = readImports(folder)
  const violations = [
    ...findCycles(graph)
      .filter((files) => !files.every(mayBeInCycle))
      .map((files) => `no-cycle: ${files.toSorted().join(', ')}`),
    ...findMissing(folder, graph).map((missing) => `nothing-missing: ${missing}`),
    ...[...graph.keys()].filter((file) => !hasRow.test(file)).map((file) => `has-a-row: ${file}`),
    ...rules.flatMap(({ name, from, allowed }) =>
      [...graph]
        .filter(([file]) => from.test(file))
        .flatMap(([file, imports]) =>
          [...imports]
            .filter((imported) => !allowed(imported))
            .map((imported) => `${name}: ${file} -> ${imported}`),
        ),
    ),
  ]
  return { graph, violations }
}

describe('imports follow the layers, from entry points down to storage', () => {
  test('no import in src violates the rules, and all of src was checked', () => {
    const { graph, violations } = analyzeImports(root)
    expect(violations).toEqual([])
    expect(graph.size).toBeGreaterThan(1_000)
    expect([...graph.values()].reduce((sum, imports) => sum + imports.size, 0)).toBeGreaterThan(5_000)
  })

  describe('a forbidden import is found', () => {
    const folder = mkdtempSync(join(tmpdir(), 'handrail-imports-'))
    afterAll(() => rmSync(folder, { recursive: true, force: true }))

    const rows = { 'src/server/storage/rows.ts': 'export const rows = 1\nexport type Row = 1\n' }
    const rest = { 'src/server/rest/rest.ts': 'export const rest = 1\nexport type Rest = 1\n' }

    test.each([
      [
        'an entry point that imports storage',
        {
          'src/server/rest/route.ts':
            "import { rows } from '../storage/rows.ts'\nexport const route = rows\n",
          ...rows,
        },
        'from server/rest: src/server/rest/route.ts -> src/server/storage/rows.ts',
      ],
      [
        'an entry point that imports only a type of another',
        {
          'src/server/mcp/tool.ts': "import type { Rest } from '../rest/rest.ts'\nexport type Tool = Rest\n",
          ...rest,
        },
        'from server/mcp: src/server/mcp/tool.ts -> src/server/rest/rest.ts',
      ],
      [
        'a use case that imports an entry point dynamically',
        { 'src/server/domain/late.ts': "export const late = () => import('../rest/rest.ts')\n", ...rest },
        'from server/domain: src/server/domain/late.ts -> src/server/rest/rest.ts',
      ],
      [
        'a feature that imports another',
        {
          'src/web/features/inbox/page.tsx':
            "import { row } from '../handled/row.tsx'\nexport const page = row\n",
          'src/web/features/handled/row.tsx': 'export const row = 1\n',
        },
        'from web/features/inbox: src/web/features/inbox/page.tsx -> src/web/features/handled/row.tsx',
      ],
      [
        'a re-exported type',
        { 'src/client/client.ts': "export type { Row } from '../server/storage/rows.ts'\n", ...rows },
        'from client: src/client/client.ts -> src/server/storage/rows.ts',
      ],
      [
        'a contract that needs Node',
        { 'src/contract/odd.ts': "import { hostname } from 'node:os'\nexport const odd = hostname()\n" },
        'from contract to packages: src/contract/odd.ts -> node:os',
      ],
      [
        'a cycle of type imports',
        {
          'src/server/lib/one.ts': "import type { Two } from './two.ts'\nexport type One = Two | 1\n",
          'src/server/lib/two.ts': "import type { One } from './one.ts'\nexport type Two = One | 2\n",
        },
        'no-cycle: src/server/lib/one.ts, src/server/lib/two.ts',
      ],
      [
        'a folder without a row',
        {
          'src/server/helpers/all.ts': "import { rows } from '../storage/rows.ts'\nexport const all = rows\n",
          ...rows,
        },
        'has-a-row: src/server/helpers/all.ts',
      ],
      [
        'SQL outside storage',
        {
          'src/server/domain/odd.ts': "import pg from 'pg'\nexport const odd = pg\n",
        },
        'pg elsewhere: src/server/domain/odd.ts -> node_modules/pg',
      ],
      [
        'a file that does not exist',
        { 'src/server/lib/odd.ts': "export * from './missing.ts'\n" },
        'nothing-missing: src/server/lib/odd.ts -> src/server/lib/missing.ts',
      ],
    ])('%s', (name, files: Record<string, string>, violation) => {
      const source = join(folder, name.replaceAll(/\W+/g, '-'))
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(join(source, dirname(path)), { recursive: true })
        writeFileSync(join(source, path), text)
      }
      expect(analyzeImports(source).violations).toContain(violation)
    })
  })
})

describe('files and functions are short', () => {
  const folders = ['src', 'test', 'bench', 'scripts', 'clients']
  const files = execFileSync('git', ['ls-files', ...folders], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((path) => /\.(tsx?|mjs|css|py)$/.test(path) && existsSync(join(root, path)))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

  test('no source file has more than 400 lines', () => {
    expect(files.length).toBeGreaterThan(1_000)
    const tooLong = files
      .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
      .filter(({ lines }) => lines > 400)
    expect(tooLong).toEqual([])
  })

  test('no function or component has more than 120 lines', () => {
    // The callbacks of describe and test are not functions in this sense.
    const sources = files.filter(({ path }) => /\.(tsx?|mjs)$/.test(path) && !/\.test\.tsx?$/.test(path))
    expect(sources.length).toBeGreaterThan(800)
    expect(sources.flatMap(({ path, text }) => findLongFunctions(path, text))).toEqual([])
  })

  test.each([
    ['function', 1, (lines: number) => `function long() {\n${'1\n'.repeat(lines - 2)}}`],
    ['component', 1, (lines: number) => `const Long = () => (\n<p>\n${'1\n'.repeat(lines - 4)}</p>\n)`],
    ['method', 2, (lines: number) => `const object = {\n  long() {\n${'1\n'.repeat(lines - 2)}},\n}`],
  ])('a %s of 121 lines is found', (_, firstLine, write) => {
    expect(findLongFunctions('a.tsx', write(120))).toEqual([])
    expect(findLongFunctions('a.tsx', write(121))).toEqual([`121 lines: a.tsx, line ${firstLine}`])
  })
})

function findLongFunctions(path: string, text: string): string[] {
  // Most files are not parsed.
  if (text.split('\n').length <= 120) return []
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  const found: string[] = []
  const visit = (node: ts.Node) => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const [first, last] = [node.getStart(file), node.end].map(
        (position) => file.getLineAndCharacterOfPosition(position).line,
      ) as [number, number]
      const lines = last - first + 1
      if (lines > 120) found.push(`${lines} lines: ${path}, line ${first + 1}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

describe('the map in ARCHITECTURE.md matches the folders', () => {
  const map = readMap()
  const folders = [...map.keys()].filter((path) => path.startsWith('src/') && path.endsWith('/'))
  const isBelow = (folder: string, name: string) =>
    foldersIn(folder, true).some((path) => path === name || path.endsWith(`/${name}`))

  test('every folder has a line of its own, or its parent names it', () => {
    expect(folders).toEqual(
      expect.arrayContaining(['src/contract/', 'src/server/domain/', 'src/web/features/']),
    )
    const missing = folders.flatMap((folder) =>
      foldersIn(folder)
        .filter((name) => !map.has(`${folder}${name}/`) && !foldersNamedIn(map.get(folder)!).includes(name))
        .map((name) => `${folder}${name}/`),
    )
    expect(missing).toEqual([])
  })

  test('every folder that it names exists', () => {
    const unknown = folders.flatMap((folder) =>
      foldersNamedIn(map.get(folder)!).filter((name) => !isBelow(folder, name)),
    )
    expect(unknown).toEqual([])
  })

  test('it names all jobs and all commands, and no others', () => {
    const jobs = readdirSync(join(root, 'src/server/jobs'))
      .filter((file) => !file.endsWith('.test.ts') && file !== 'jobs.ts')
      .map((file) => file.replace('.ts', ''))
    const words = map.get('src/server/jobs/')!.match(/[a-z]+(-[a-z]+)*/g)!
    expect(jobs.filter((job) => !words.includes(job))).toEqual([])
    expect(words.filter((word) => word.includes('-') && !jobs.includes(word))).toEqual([])

    const commandLine = readFileSync(join(root, 'src/cli/commands.ts'), 'utf8')
    const commands = [...commandLine.matchAll(/import\('\.\/([a-z-]+)\.ts'\)/g)].map(([, name]) => name!)
    const named = map.get('src/cli/')!.replace('handrail ', '').split(' | ')
    expect(commands.length).toBeGreaterThan(10)
    expect(named.toSorted()).toEqual(commands.toSorted())
  })
})

/**
 * What the map says about each path. A line that starts with a path is followed by lines that are
 * indented further.
 */
function readMap(): Map<string, string> {
  const [, block] = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').split('```')
  const map = new Map<string, string>()
  const parents: string[] = []
  let path = ''
  for (const line of block!.trim().split('\n')) {
    const [, indent, name, text] = /^((?: {2}){0,2})(\S+)(.*)$/.exec(line) ?? []
    if (name === undefined) {
      map.set(path, `${map.get(path)} ${line.trim()}`)
      continue
    }
    const depth = indent!.length / 2
    parents.splice(depth)
    path = `${parents.join('')}${name}`
    parents[depth] = name
    map.set(path, text!.trim())
  }
  return map
}

function foldersIn(folder: string, recursive = false): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive })
    .filter((entry) => entry.isDirectory())
    .map((entry) => relative(join(root, folder), join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
}

/** As in "tasks/  review/": not a path like scripts/build-card. */
function foldersNamedIn(text: string): string[] {
  return [...text.matchAll(/(?<![\w/-])([a-z-]+)\/(?![\w-])/g)].map(([, name]) => name!)
}
