import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const web = fileURLToPath(new URL('../src/web', import.meta.url))
const files = readdirSync(web, { recursive: true, encoding: 'utf8' })
  .map((path) => join(web, path))
  .filter((path) => /\.(css|tsx?)$/.test(path) && !/\.test\.tsx?$/.test(path))
const read = (path: string) => readFileSync(path, 'utf8')
const modules = files.filter((path) => path.endsWith('.module.css'))

/** The names under which a component sees the classes of a module. */
function classesIn(css: string): Set<string> {
  const selectors = css
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/:global\([^)]*\)/g, '')
    .match(/[^{};]+(?=\{)/g)
  const names = (selectors ?? []).flatMap((selector) => selector.match(/(?<=\.)[a-z][\w-]*/gi) ?? [])
  return new Set(names.map((name) => name.replaceAll(/-([a-z0-9])/g, (_, letter) => letter.toUpperCase())))
}

/** Which classes of which module a component uses. `isAny`: it computes the name of one. */
function usesIn(source: string) {
  return [...source.matchAll(/import (\w+) from '([^']+\.module\.css)'/g)].map(([, name, path]) => ({
    path: path!,
    classes: [...source.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g'))].map(([, used]) => used!),
    isAny: source.includes(`${name}[`),
  }))
}

const uses = files
  .filter((path) => !path.endsWith('.css'))
  .flatMap((file) =>
    usesIn(read(file)).map((use) => ({ ...use, file, module: join(dirname(file), use.path) })),
  )

describe('the style system', () => {
  test('every class that a component names is in its module, and no class of a module is unused', () => {
    expect(modules.length).toBeGreaterThan(80)
    const problems: string[] = []
    for (const module of modules) {
      const users = uses.filter((use) => use.module === module)
      const classes = classesIn(read(module))
      const used = new Set(users.flatMap((use) => use.classes))
      const at = relative(web, module)
      for (const { file, classes: named } of users)
        for (const name of named)
          if (!classes.has(name)) problems.push(`${relative(web, file)} names ${name}, not in ${at}`)
      if (users.some(({ isAny }) => isAny)) continue
      for (const name of classes) if (!used.has(name)) problems.push(`${at}: ${name} is unused`)
    }
    expect(problems).toEqual([])
  })

  test('module names are unique, because they are part of the class names', () => {
    const names = modules.map((path) => basename(path))
    expect(names.filter((name, n) => names.indexOf(name) !== n)).toEqual([])
  })

  test('every token that a style uses is defined, and only tokens set spaces and layers', () => {
    const css = files.filter((path) => path.endsWith('.css'))
    const defined = new Set(files.flatMap((path) => read(path).match(/--[\w-]+(?=['"]?:)/g) ?? []))
    const problems: string[] = []
    for (const path of css) {
      const text = read(path)
      for (const [, token] of text.matchAll(/var\((--[\w-]+)/g))
        if (!defined.has(token!) && !token!.startsWith('--radix-'))
          problems.push(`${relative(web, path)}: ${token}`)
      for (const [rule] of text.matchAll(/^\s*z-index: \d+;/gm))
        problems.push(`${relative(web, path)}: ${rule}`)
      for (const [rule] of text.matchAll(/^\s*(padding|margin|gap)[a-z-]*: (4|8|12|16|24)px;/gm))
        problems.push(`${relative(web, path)}: ${rule}`)
    }
    expect(problems).toEqual([])
  })
})
