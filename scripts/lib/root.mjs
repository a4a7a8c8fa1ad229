import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the checkout, independent of the working directory. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '')

export const inRoot = (...names) => join(root, ...names)
