import { existsSync, rmSync } from 'node:fs'
import { inRoot } from './root.mjs'
import { filesUnder, fingerprint, readStamp } from './stamp.mjs'

const SERVER = ['src/contract', 'src/client', 'src/server', 'src/cli']

/** What is made from the sources. A build is fresh while its stamp is the fingerprint of what it was made from. */
export const server = {
  name: 'the server',
  from: [...SERVER, 'tsconfig.base.json', 'tsconfig.server.json', 'package-lock.json'],
  stamp: 'dist/.server-stamp',
  program: 'tsc',
  args: ['-p', 'tsconfig.server.json'],
  before() {
    // tsc believes its notes, not the folder: files lost since would stay lost.
    if (emitted().some(([file]) => !existsSync(inRoot(file))))
      rmSync(inRoot('dist/.tsbuildinfo'), { force: true })
  },
  after() {
    // Files of sources that are gone, which a stray import would still find.
    const expected = new Set(emitted().flat())
    for (const file of SERVER.flatMap((path) => filesUnder(path.replace(/^src/, 'dist'))))
      if (!expected.has(file)) rmSync(inRoot(file))
  },
}

export const web = {
  name: 'the web pages',
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

/** Node 20 does not run TypeScript, so `npm run bench` compiles its own, with the shapes of src it imports. */
export const bench = {
  name: 'the benchmarks',
  from: ['bench', ...SERVER, 'tsconfig.base.json', 'scripts/tsconfig.bench.json', 'package-lock.json'],
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

/** The files tsc makes for each source: the program, its source map, and its types for those who import `handrail/client`. */
function emitted() {
  return SERVER.flatMap(filesUnder)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.endsWith('.d.ts'))
    .map((file) => file.replace(/^src/, 'dist').replace(/\.ts$/, ''))
    .map((file) => [`${file}.js`, `${file}.js.map`, `${file}.d.ts`])
}
