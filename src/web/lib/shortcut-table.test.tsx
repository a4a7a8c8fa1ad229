import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { capOf } from './key-caps.ts'
import { shortcutEntries } from './shortcut-table.ts'

const names: string[] = shortcutEntries.flatMap(({ keys }) => keys)

const sources = parseSources()

test('every shortcut in use is listed in the table', () => {
  const used = sources.flatMap(keysIn)
  expect(used).toEqual(expect.arrayContaining(['j', '$mod+k', 'z']))
  expect(used.filter((key) => !names.includes(key))).toEqual([])
})

test('every shortcut in the table has a handler', () => {
  const handled = new Set(sources.filter(registers).flatMap(propertyNames))
  // Digits and pages are registered in loops.
  const others = names.filter((name) => !/^(Alt\+Digit)?\d$|^g /.test(name))
  expect(others.filter((name) => !handled.has(name))).toEqual([])
})

test('no key is listed twice', () => {
  expect(names.filter((name, n) => names.indexOf(name) !== n)).toEqual([])
})

test('key caps are written as printed on a keyboard', () => {
  expect([capOf('$mod+Shift+Enter'), capOf('Alt+Digit1'), capOf('g i'), capOf('Shift+j')]).toEqual([
    'Ctrl Shift ↵',
    'Alt 1',
    'G I',
    'Shift J',
  ])
})

function parseSources(): ts.SourceFile[] {
  const root = join(process.cwd(), 'src/web')
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.includes('.test.'))
    .map((path) =>
      ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.ESNext, true),
    )
}

/** The names in `useShortcuts({ … })`, including conditionally spread objects. */
function keysIn(source: ts.SourceFile): string[] {
  const found: string[] = []
  visit(source)
  return found

  function visit(node: ts.Node): void {
    if (ts.isCallExpression(node) && node.expression.getText() === 'useShortcuts')
      node.arguments.forEach(collect)
    ts.forEachChild(node, visit)
  }

  function collect(node: ts.Node): void {
    if (ts.isObjectLiteralExpression(node)) {
      for (const property of node.properties) {
        if (ts.isSpreadAssignment(property)) collect(property.expression)
        else if (property.name && !ts.isComputedPropertyName(property.name)) found.push(property.name.text)
      }
    } else if (
      ts.isParenthesizedExpression(node) ||
      ts.isBinaryExpression(node) ||
      ts.isConditionalExpression(node)
    ) {
      ts.forEachChild(node, collect)
    }
  }
}

const registers = (source: ts.SourceFile) => source.text.includes('useShortcuts(')

function propertyNames(source: ts.SourceFile): string[] {
  const found: string[] = []
  visit(source)
  return found

  function visit(node: ts.Node): void {
    if (ts.isPropertyAssignment(node) && !ts.isComputedPropertyName(node.name)) found.push(node.name.text)
    ts.forEachChild(node, visit)
  }
}
