import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Returns a function that reads what PostgreSQL has logged since this call. A log file may also
 * contain earlier runs: it is named after its weekday, and a start appends to it (settings.ts).
 */
export function markLogEnd(dataFolder: string): () => string {
  const earlierSizes = new Map(listLogFiles(dataFolder).map((path) => [path, statSync(path).size]))
  return () => {
    try {
      const [, name] = readFileSync(join(dataFolder, 'current_logfiles'), 'utf8').split(/\s/)
      const path = join(dataFolder, name!)
      const content = readFileSync(path)
      const start = earlierSizes.get(path) ?? 0
      // A file that is shorter than before was truncated, so all of it is new.
      return content.subarray(start <= content.length ? start : 0).toString()
    } catch {
      return ''
    }
  }
}

function listLogFiles(dataFolder: string): string[] {
  const folder = join(dataFolder, 'log')
  try {
    return readdirSync(folder).map((name) => join(folder, name))
  } catch {
    return []
  }
}
