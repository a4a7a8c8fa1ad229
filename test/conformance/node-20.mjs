import { register } from 'node:module'

const moduleOf = (text) => `data:text/javascript,${encodeURIComponent(text)}`

// The suite imports fs.globSync, which Node 20 does not have, for a command that is not used here.
const fs = moduleOf(`
  export * from 'node:fs'
  export const globSync = () => { throw new Error('Node 20 has no fs.globSync.') }`)

register(
  moduleOf(`
    export const resolve = (name, context, next) =>
      name === 'fs' && context.parentURL?.includes('/@modelcontextprotocol/conformance/')
        ? { url: ${JSON.stringify(fs)}, shortCircuit: true }
        : next(name, context)`),
)
