import { existsSync, rmSync } from 'node:fs'
import { inRoot } from './root.mjs'
import { filesUnder, fingerprint, readStamp } from './stamp.mjs'

const serverSources = ['src/contract', 'src/client', 'src/server', 'src/cli']

// What a process starts with. These are bundled, see scripts/bundle.config.mjs; tsc compiles the
// rest.
const entries = ['src/server/main.ts', 'src/cli/main.ts']

/** Build outputs. A build is up to date while its stamp equals the fingerprint of its sources. */
export const server = {
  name: 'the server',
  from: [...serverSources, 'tsconfig.base.json', 'tsconfig.server.json', 'package-lock.json'],
  stamp: 'dist/.server-stamp',
  program: 'tsc',
  args: ['-p', 'tsconfig.server.json'],
  before() {
    // tsc trusts its build info, not the folder: it would not restore deleted output files.
    if (outputFiles().some(([file]) => !existsSync(inRoot(file))))
      rmSync(inRoot('dist/.tsbuildinfo'), { force: true })
  },
  after() {
    // Remove output of deleted sources, which a leftover import would still find.
    const bundled = entries.map((file) => file.replace(/^src(.*)\.ts$/, 'dist$1.js'))
    const expected = new Set([...outputFiles().flat(), ...bundled, ...bundled.map((file) => `${file}.map`)])
    for (const file of serverSources.flatMap((path) => filesUnder(path.replace(/^src/, 'dist'))))
      if (!expected.has(file)) rmSync(inRoot(file))
  },
}

export const bundle = {
  name: 'the bundle',
  from: [...serverSources, 'scripts/bundle.config.mjs', 'package-lock.json'],
  stamp: 'dist/.bundle-stamp',
  program: 'rolldown',
  args: ['-c', 'scripts/bundle.config.mjs'],
  before() {
    rmSync(inRoot('dist/chunks'), { recursive: true, force: true })
  },
}

export const web = {
  name: 'the web app',
  from: [
    'src/web',
    'src/contract',
    'src/client',
    'vite.config.ts',
    'tsconfig.base.json',
    'tsconfig.web.json',
    'package-lock.json',
  ],
  stamp: 'dist/.web-stamp',
  program: 'vite',
  args: ['build'],
}

export const card = {
  name: 'the chat card',
  from: [
    'src/web/card',
    'src/web/lib',
    'src/web/styles/tokens.css',
    'src/contract',
    'scripts/build-card.mjs',
    'package-lock.json',
  ],
  stamp: 'dist/.card-stamp',
  program: process.execPath,
  args: ['scripts/build-card.mjs'],
}

export const typescriptClient = {
  name: 'the TypeScript client',
  from: [
    'src/client',
    'src/contract',
    'scripts/client-package.mjs',
    'scripts/lib/flat-types.mjs',
    'scripts/lib/tarball.mjs',
    'tsconfig.base.json',
    'tsconfig.server.json',
    'package.json',
    'package-lock.json',
    'LICENSE',
  ],
  stamp: 'dist/.typescript-client-stamp',
  program: process.execPath,
  args: ['scripts/client-package.mjs'],
}

export const pythonClient = {
  name: 'the Python client',
  from: [
    'clients/python/handrail',
    'scripts/build-wheel.mjs',
    'scripts/lib/zip.mjs',
    'package.json',
    'LICENSE',
  ],
  stamp: 'dist/.python-client-stamp',
  program: process.execPath,
  args: ['scripts/build-wheel.mjs'],
}

/**
 * Node 20 cannot run TypeScript, so `npm run bench` compiles its own code and the parts of src it
 * imports.
 */
export const bench = {
  name: 'the benchmarks',
  from: ['bench', ...serverSources, 'tsconfig.base.json', 'scripts/tsconfig.bench.json', 'package-lock.json'],
  stamp: '.cache/bench-stamp',
  program: 'tsc',
  args: ['-p', 'scripts/tsconfig.bench.json'],
  before() {
    rmSync(inRoot('.cache/bench'), { recursive: true, force: true })
  },
}

export function isFresh(build) {
  return readStamp(build.stamp) === fingerprint(build.from)
}

/** The files tsc writes per source: JavaScript, source map, and the types that `handrail/client` exports. */
function outputFiles() {
  return serverSources
    .flatMap(filesUnder)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.endsWith('.d.ts'))
    .filter((file) => !entries.includes(file))
    .map((file) => file.replace(/^src/, 'dist').replace(/\.ts$/, ''))
    .map((file) => [`${file}.js`, `${file}.js.map`, `${file}.d.ts`])
}
