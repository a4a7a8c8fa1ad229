import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cruise, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser'
import { afterAll, describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

const belowParts = ['contract', 'client', 'web/lib', 'web/ui', 'web/widgets', 'web/styles']
const features = readdirSync(join(root, 'src/web/features'))

/** Left never sees right of it. A folder always sees itself; what has no row here is refused. */
const maySee: Record<string, string[]> = {
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
  // No feature sees another: what two of them share is a part.
  ...Object.fromEntries(features.map((feature) => [`web/features/${feature}`, [...belowParts, 'web/parts']])),
  'web/app': [...belowParts, 'web/parts', 'web/features'],
  'web/main.tsx': [...belowParts, 'web/app', 'web/app.css'],
  'server/lib': ['contract'],
  'server/postgres': ['server/lib'],
  'server/storage': ['contract', 'server/lib'],
  // Below the subjects: none of what it does is about tasks or people.
  'server/storage/engine': ['contract', 'server/lib'],
  'server/domain': ['contract', 'server/lib', 'server/storage'],
  'server/rest': ['contract', 'server/lib', 'server/domain'],
  'server/jobs': ['contract', 'server/lib', 'server/domain'],
  'server/mcp': ['contract', 'client', 'server/lib'],
  'server/config.ts': [],
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
  'server/main.ts': [
    ...['server/config.ts', 'server/version.ts', 'server/compose.ts', 'server/separate-mcp.ts'],
    ...['server/listen.ts', 'server/lib', 'server/domain'],
  ],
  // A command opens the service and none of its doors.
  cli: [
    ...['contract', 'client', 'server/config.ts', 'server/version.ts', 'server/open-service.ts'],
    ...['server/lib', 'server/domain', 'server/backup'],
  ],
}

/** Packages that stand in few places, so that what they do stands in few places. */
const packagesOnlyIn: Record<string, string[]> = {
  pg: ['server/storage', 'server/postgres'],
  'pg-copy-streams': ['server/storage'],
  kysely: ['server/storage'],
  hono: ['server/rest', 'server/mcp'],
}

/** All that the contract needs beside itself: whoever speaks it must be able to take it as it is. */
const packagesOfContract = ['zod']

const forbidden: IForbiddenRuleType[] = [
  // A value may hold values, so what shows one shows others: that circle is the nature of widgets.
  {
    name: 'no-cycle',
    severity: 'error',
    from: {},
    to: { circular: true, via: { pathNot: '^src/web/widgets/' } },
  },
  { name: 'nothing-missing', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ...Object.entries(maySee).map(([place, others]) => ({
    name: `from ${place}`,
    severity: 'error' as const,
    from: { path: inside(place) },
    to: { path: '^src/', pathNot: [place, ...others].map(inside) },
  })),
  {
    name: 'has-a-row',
    severity: 'error',
    from: { path: '^src/', pathNot: Object.keys(maySee).map(inside) },
    to: {},
  },
  ...Object.entries(packagesOnlyIn).map(([name, places]) => ({
    name: `${name} elsewhere`,
    severity: 'error' as const,
    from: { path: '^src/', pathNot: places.map(inside) },
    to: { path: inPackage(name) },
  })),
  {
    name: 'from contract to packages',
    severity: 'error',
    from: { path: '^src/contract/' },
    to: { pathNot: ['^src/contract/', ...packagesOfContract.map(inPackage)] },
  },
]

function inside(place: string): string {
  return `^src/${place.replaceAll('.', '\\.')}${/\.\w+$/.test(place) ? '$' : '/'}`
}

function inPackage(name: string): string {
  return `(^|/)node_modules/(@types/)?${name}/`
}

async function look(folder: string) {
  const result = await cruise(
    ['src'],
    {
      baseDir: folder,
      ruleSet: { forbidden },
      validate: true,
      tsPreCompilationDeps: true, // types count: who knows a type knows the folder
      doNotFollow: { path: 'node_modules' },
      exclude: { path: '\\.test\\.tsx?$' },
      enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
    },
    { extensions: ['.ts', '.tsx', '.js', '.css', '.svg'] },
  )
  const { modules, summary } = result.output as ICruiseResult
  return {
    sources: modules.map((module) => module.source).filter((source) => source.startsWith('src/')),
    dependencies: modules.flatMap((module) => module.dependencies),
    violations: summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`),
  }
}

function isTypeOnly({ dependencyTypes }: { dependencyTypes: string[] }): boolean {
  return dependencyTypes.includes('type-only')
}

describe('a request walks down through files and never back up', () => {
  test('no import of src breaks the rule, and the rule was held against all of src', async () => {
    const { sources, dependencies, violations } = await look(root)
    expect(violations).toEqual([])
    const written = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|\.d\.ts$/.test(path))
      .map((path) => `src/${path.replaceAll('\\', '/')}`)
    expect(written.length).toBeGreaterThan(150)
    expect(written.filter((path) => !sources.includes(path))).toEqual([])
    expect(dependencies.filter(isTypeOnly).length).toBeGreaterThan(100)
  })

  describe('an illegal import is found', () => {
    const folder = mkdtempSync(join(tmpdir(), 'handrail-imports-'))
    afterAll(() => rmSync(folder, { recursive: true, force: true }))

    const rows = { 'src/server/storage/rows.ts': 'export const rows = 1\nexport type Row = 1\n' }
    const rest = { 'src/server/rest/rest.ts': 'export const rest = 1\nexport type Rest = 1\n' }

    test.each([
      [
        'a door that sees storage',
        {
          'src/server/rest/door.ts': "import { rows } from '../storage/rows.ts'\nexport const door = rows\n",
          ...rows,
        },
        'from server/rest: src/server/rest/door.ts -> src/server/storage/rows.ts',
      ],
      [
        'a door that sees another, by its type alone',
        {
          'src/server/mcp/door.ts': "import type { Rest } from '../rest/rest.ts'\nexport type Door = Rest\n",
          ...rest,
        },
        'from server/mcp: src/server/mcp/door.ts -> src/server/rest/rest.ts',
      ],
      [
        'a use case that sees a door, only when it runs',
        { 'src/server/domain/late.ts': "export const late = () => import('../rest/rest.ts')\n", ...rest },
        'from server/domain: src/server/domain/late.ts -> src/server/rest/rest.ts',
      ],
      [
        'a feature that sees another',
        {
          'src/web/features/inbox/page.tsx':
            "import { row } from '../handled/row.tsx'\nexport const page = row\n",
          'src/web/features/handled/row.tsx': 'export const row = 1\n',
        },
        'from web/features/inbox: src/web/features/inbox/page.tsx -> src/web/features/handled/row.tsx',
      ],
      [
        'a type handed through',
        { 'src/client/client.ts': "export type { Row } from '../server/storage/rows.ts'\n", ...rows },
        'from client: src/client/client.ts -> src/server/storage/rows.ts',
      ],
      [
        'a contract that needs Node',
        { 'src/contract/odd.ts': "import { hostname } from 'node:os'\nexport const odd = hostname()\n" },
        'from contract to packages: src/contract/odd.ts -> os',
      ],
      [
        'a circle of types',
        {
          'src/server/lib/one.ts': "import type { Two } from './two.ts'\nexport type One = Two | 1\n",
          'src/server/lib/two.ts': "import type { One } from './one.ts'\nexport type Two = One | 2\n",
        },
        'no-cycle: src/server/lib/one.ts -> src/server/lib/two.ts',
      ],
      [
        'a folder nobody thought of',
        {
          'src/server/helpers/all.ts': "import { rows } from '../storage/rows.ts'\nexport const all = rows\n",
          ...rows,
        },
        'has-a-row: src/server/helpers/all.ts -> src/server/storage/rows.ts',
      ],
      [
        'SQL outside storage',
        {
          'src/server/domain/odd.ts': "import pg from 'pg'\nexport const odd = pg\n",
          'node_modules/pg/package.json': '{"name":"pg","version":"1.0.0","main":"pg.js"}',
          'node_modules/pg/pg.js': '',
        },
        'pg elsewhere: src/server/domain/odd.ts -> node_modules/pg/pg.js',
      ],
    ])('%s', async (name, files: Record<string, string>, violation) => {
      const place = join(folder, name.replaceAll(/\W+/g, '-'))
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(join(place, dirname(path)), { recursive: true })
        writeFileSync(join(place, path), text)
      }
      expect((await look(place)).violations).toContain(violation)
    })
  })
})
