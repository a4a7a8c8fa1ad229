// Builds the Python client: dist/clients/handrail-<version>-py3-none-any.whl. A wheel is a zip file
// with a few files of metadata, so building it needs no Python.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { inRoot } from './lib/root.mjs'
import { zip } from './lib/zip.mjs'

const { version, description, license } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'))
// PEP 440 writes 1.0.0-rc.2 as 1.0.0rc2.
const pythonVersion = version.replace(
  /-(alpha|beta|rc)\.?(\d+)$/,
  (_, stage, number) => `${stage === 'rc' ? 'rc' : stage[0]}${number}`,
)
const info = `handrail-${pythonVersion}.dist-info`

const files = [
  ...readdirSync(inRoot('clients/python/handrail'))
    .filter((name) => name.endsWith('.py') || name === 'py.typed')
    .sort()
    .map((name) => [`handrail/${name}`, readFileSync(inRoot('clients/python/handrail', name))]),
  [`${info}/LICENSE`, readFileSync(inRoot('LICENSE'))],
  [
    `${info}/METADATA`,
    lines([
      'Metadata-Version: 2.1',
      'Name: handrail',
      `Version: ${pythonVersion}`,
      `Summary: ${description}`,
      `License: ${license}`,
      'License-File: LICENSE',
      'Requires-Python: >=3.9',
      'Classifier: Typing :: Typed',
    ]),
  ],
  [
    `${info}/WHEEL`,
    lines(['Wheel-Version: 1.0', 'Generator: handrail', 'Root-Is-Purelib: true', 'Tag: py3-none-any']),
  ],
]
files.push([`${info}/RECORD`, lines([...files.map(recordLine), `${info}/RECORD,,`])])

const folder = inRoot('dist/clients')
mkdirSync(folder, { recursive: true })
for (const name of readdirSync(folder)) if (name.endsWith('.whl')) rmSync(`${folder}/${name}`)
writeFileSync(`${folder}/handrail-${pythonVersion}-py3-none-any.whl`, zip(files))

function recordLine([name, content]) {
  return `${name},sha256=${createHash('sha256').update(content).digest('base64url')},${content.length}`
}

function lines(texts) {
  return Buffer.from(`${texts.join('\n')}\n`)
}
