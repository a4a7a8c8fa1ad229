import { readFileSync } from 'node:fs'

/** The instructions of a Dockerfile in order. Continued lines are not supported. */
export function readDockerfile(file) {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const match = /^([A-Z]+) (.+)$/.exec(line)
      if (!match) throw new Error(`Cannot parse this line of ${file}: ${line}`)
      return { name: match[1], text: match[2] }
    })
}
