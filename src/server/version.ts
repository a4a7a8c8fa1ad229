import { readFileSync } from 'node:fs'

// The relative path to package.json is the same from src/server, dist/server and dist/chunks.
export const version: string = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).version
