import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Lockfile = { packages: Record<string, { version: string }> }

test.each(['.', 'test/clients', 'examples/frameworks'])(
  'what npm brings to Linux on x64 it brings to Linux on arm64, in %s',
  (folder) => {
    const { packages } = JSON.parse(readFileSync(`${folder}/package-lock.json`, 'utf8')) as Lockfile
    const forX64 = Object.keys(packages).filter((name) => name.includes('linux-x64'))
    expect(forX64.length).toBeGreaterThan(0)
    for (const name of forX64) {
      const sibling = packages[name.replace('linux-x64', 'linux-arm64')]
      expect([name, sibling?.version]).toEqual([name, packages[name]!.version])
    }
  },
)
