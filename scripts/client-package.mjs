// Builds the package `handrail-client`, which the service serves as /client.tgz.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { rolldown } from 'rolldown'
import { flatTypes } from './lib/flat-types.mjs'
import { inRoot } from './lib/root.mjs'
import { tarball } from './lib/tarball.mjs'

const entries = { index: 'src/client/package-entry.ts', testing: 'src/client/testing.ts' }
const read = (file) => readFileSync(inRoot(file), 'utf8')
const { version, license } = JSON.parse(read('package.json'))

const entryPoint = (name) => ({
  import: { types: `./${name}.d.ts`, default: `./${name}.js` },
  require: { types: `./${name}.d.cts`, default: `./${name}.cjs` },
})
const manifest = {
  name: 'handrail-client',
  version,
  description: 'The TypeScript client of Handrail, the inbox where AI agents hand work to people.',
  license,
  type: 'module',
  main: './index.cjs',
  types: './index.d.ts',
  exports: {
    '.': entryPoint('index'),
    './testing': entryPoint('testing'),
    './package.json': './package.json',
  },
  sideEffects: false,
  engines: { node: '>=20.3' },
}

const readme = `# handrail-client

The TypeScript client of Handrail ${version}. It comes from the service itself: the page "Connect an agent" and
\`docs/typescript.md\` of Handrail describe it.

\`handrail-client/testing\` contains zod, whose license is in LICENSE-zod.
`

/**
 * Bundles both entry points with one shared module, so that errors of the test inbox are instances
 * of the client's classes.
 */
async function bundleAs(format, extension) {
  const bundle = await rolldown({
    cwd: inRoot(),
    input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, inRoot(file)])),
    platform: 'neutral',
  })
  const { output } = await bundle.generate({
    format,
    exports: 'named',
    entryFileNames: `[name].${extension}`,
    chunkFileNames: `[name].${extension}`,
  })
  await bundle.close()
  return Object.fromEntries(output.map((chunk) => [chunk.fileName, chunk.code]))
}

const code = { ...(await bundleAs('esm', 'js')), ...(await bundleAs('cjs', 'cjs')) }
const types = Object.entries(flatTypes(entries)).flatMap(([name, text]) => [
  [`${name}.d.ts`, text],
  [`${name}.d.cts`, text.replaceAll(/ from '\.\/(\w+)\.js'/g, " from './$1.cjs'")],
])
const files = {
  'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
  'README.md': readme,
  LICENSE: read('LICENSE'),
  'LICENSE-zod': read('node_modules/zod/LICENSE'),
  ...code,
  ...Object.fromEntries(types),
}
mkdirSync(inRoot('dist/clients'), { recursive: true })
writeFileSync(inRoot('dist/clients/client.tgz'), tarball(files))
