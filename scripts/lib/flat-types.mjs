// Flattens the types of entry points into declaration files that import only each other: the types
// of the contract are zod schemas in the source, and users of the client have no zod.
import { relative } from 'node:path'
import ts from 'typescript'
import { inRoot, root } from './root.mjs'

const flags =
  ts.NodeBuilderFlags.NoTruncation |
  ts.NodeBuilderFlags.InTypeAlias |
  ts.NodeBuilderFlags.UseAliasDefinedOutsideCurrentScope |
  ts.NodeBuilderFlags.UseSingleQuotesForStringLiteralType

/**
 * Returns the text of a .d.ts file per entry. A type that an earlier entry declares is imported
 * from `./<entry>.js`.
 */
export function flatTypes(entries) {
  const { config } = ts.readConfigFile(inRoot('tsconfig.server.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const program = ts.createProgram(
    Object.values(entries).map((file) => inRoot(file)),
    { ...options, incremental: false, tsBuildInfoFile: undefined, noEmit: false, emitDeclarationOnly: true },
  )
  const checker = program.getTypeChecker()
  const printer = ts.createPrinter({ removeComments: false })
  const written = new Map() // name of a type -> its symbol and the name of the entry that declares it
  const texts = {}

  for (const [name, file] of Object.entries(entries)) {
    const declarations = []
    const imported = new Map()
    const source = program.getSourceFile(inRoot(file))
    const pending = [...checker.getExportsOfModule(checker.getSymbolAtLocation(source))].map(resolve)
    const exported = pending.map((symbol) => symbol.name)
    const seen = new Set()
    while (pending.length > 0) {
      const symbol = pending.shift()
      if (seen.has(symbol)) continue
      seen.add(symbol)
      const earlier = written.get(symbol.name)
      if (earlier !== undefined) {
        if (earlier.symbol !== symbol) throw new Error(`Two types are called ${symbol.name}. Rename one.`)
        imported.set(symbol.name, earlier.entry)
        continue
      }
      written.set(symbol.name, { symbol, entry: name })
      const { text, references } = declare(symbol)
      declarations.push(text)
      pending.push(...references)
    }
    texts[name] = [...importLines(imported), ...declarations, exportLine(exported)].join('\n')
  }
  return texts

  function resolve(symbol) {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    return checker.getExportSymbolOfSymbol(target)
  }

  /** A type of the contract is expanded, everything else is taken from its declaration file. */
  function declare(symbol) {
    const [declaration] = symbol.declarations
    const file = declaration.getSourceFile()
    const path = relative(root, file.fileName).replaceAll('\\', '/')
    if (path.startsWith('src/contract/')) {
      const type = checker.getDeclaredTypeOfSymbol(symbol)
      const node = checker.typeToTypeNode(type, undefined, flags)
      return { text: `type ${symbol.name} = ${print(node, file)};`, references: [] }
    }
    if (!path.startsWith('src/client/'))
      throw new Error(`${symbol.name} of ${path} cannot be part of the types.`)
    const emitted = declarationFile(file)
    const statements = emitted.statements.filter((statement) =>
      declaredNames(statement).includes(symbol.name),
    )
    const references = statements.flatMap((statement) => referencesIn(statement, file))
    return { text: statements.map((statement) => withoutExport(statement, emitted)).join('\n'), references }
  }

  function print(node, file) {
    return printer.printNode(ts.EmitHint.Unspecified, node, file)
  }

  function declarationFile(file) {
    let text
    program.emit(file, (_, output) => (text = output), undefined, true)
    return ts.createSourceFile(file.fileName, text, ts.ScriptTarget.Latest, true)
  }

  /** The symbols behind the identifiers of a declaration, found by name in the scope of its source. */
  function referencesIn(statement, file) {
    const scope = new Map(
      checker
        .getSymbolsInScope(
          file.endOfFileToken,
          ts.SymbolFlags.Type | ts.SymbolFlags.Value | ts.SymbolFlags.Alias,
        )
        .map((symbol) => [symbol.name, resolve(symbol)]),
    )
    const found = new Set()
    const visit = (node) => {
      if (ts.isImportTypeNode(node)) throw new Error(`${node.getText()} of ${file.fileName} needs an import.`)
      const referenced =
        (ts.isTypeReferenceNode(node) && node.typeName) ||
        (ts.isTypeQueryNode(node) && node.exprName) ||
        (ts.isExpressionWithTypeArguments(node) && node.expression)
      if (referenced && ts.isIdentifier(referenced)) {
        const symbol = scope.get(referenced.text)
        if (symbol?.declarations?.[0].getSourceFile().fileName.startsWith(inRoot('src'))) found.add(symbol)
      }
      ts.forEachChild(node, visit)
    }
    visit(statement)
    return [...found]
  }
}

function declaredNames(statement) {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText())
  return statement.name ? [statement.name.getText()] : []
}

function withoutExport(statement, file) {
  const text = statement.getFullText(file).replace(/^\n+/, '')
  return text.replace(/^export (?!declare|type|interface)/m, 'declare ').replace(/^export /m, '')
}

function importLines(imported) {
  const owners = [...new Set(imported.values())]
  return owners.map((owner) => {
    const names = [...imported].flatMap(([name, from]) => (from === owner ? [name] : []))
    return `import type { ${names.join(', ')} } from './${owner}.js';`
  })
}

function exportLine(names) {
  return `export { ${names.join(', ')} };\n`
}
