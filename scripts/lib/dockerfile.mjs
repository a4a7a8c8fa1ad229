import { readFileSync } from 'node:fs'

/** The instructions of a Dockerfile in order. Continued lines are not supported. */
export function readDockerfile(file) {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name, text] = /^([A-Z]+) (.+)$/.exec(line)
      return { name, text }
    })
}
