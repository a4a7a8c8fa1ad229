import { readFileSync } from 'node:fs'

/** From package.json, so that it is written once. The path is the same from src/server and dist/server. */
export const version: string = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
).version
