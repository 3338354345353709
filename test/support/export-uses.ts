// Which exports of which file are used by others, read from the syntax of imports, lazy ones and those of types too.
import { dirname, join, relative } from 'node:path'
import ts from 'typescript5'
import { walkTree } from './declarations.ts'
import { treeOf } from './exports.ts'
import { read, root } from './sources.ts'

/** All names of a module count as used: what is taken of it does not show in the syntax. */
const everything = '*'

/** Returns the names that a file uses from others, as `file name`. */
export function usesIn(file: string): string[] {
  const uses: string[] = []
  const add = (specifier: ts.Node | undefined, names: readonly string[]) => {
    if (!specifier || !ts.isStringLiteralLike(specifier) || !specifier.text.startsWith('.')) return
    const target = relative(root, join(root, dirname(file), specifier.text))
    for (const name of names) uses.push(`${target} ${name}`)
  }
  const tree = parseImports(file)
  for (const statement of tree.statements) {
    if (ts.isImportDeclaration(statement)) add(statement.moduleSpecifier, namesOfImport(statement))
    if (ts.isExportDeclaration(statement)) add(statement.moduleSpecifier, namesOfExport(statement))
  }
  if (!tree.text.includes('import(')) return uses
  walkTree(tree, (node) => {
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node.argument.literal, [node.qualifier ? firstName(node.qualifier) : everything])
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], namesOfLazyImport(node))
  })
  return uses
}

/** Returns the tree of a file. Without lazy imports it ends at the last import, which is much faster. */
function parseImports(file: string): ts.SourceFile {
  if (/^(cmd|internal)\/.*\.ts$/.test(file)) return treeOf(file)
  const text = read(file)
  const last = [...text.matchAll(/ from '[^'\n]+'$/gm)].at(-1)
  const end = text.includes('import(') ? text.length : last ? last.index + last[0].length : 0
  return ts.createSourceFile(file, text.slice(0, end), ts.ScriptTarget.Latest, true)
}

/** Whether some file uses an export. */
export const isUsed = (uses: ReadonlySet<string>, file: string, name: string): boolean =>
  uses.has(`${file} ${name}`) || uses.has(`${file} ${everything}`)

function namesOfImport({ importClause }: ts.ImportDeclaration): string[] {
  const bindings = importClause?.namedBindings
  if (!bindings) return []
  if (ts.isNamespaceImport(bindings)) return [everything]
  return bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text)
}

function namesOfExport({ exportClause }: ts.ExportDeclaration): string[] {
  if (!exportClause || ts.isNamespaceExport(exportClause)) return [everything]
  return exportClause.elements.map(({ name, propertyName }) => (propertyName ?? name).text)
}

/**
 * Returns the names after a lazy import: a pattern, `.then((m) => m.name)`, `(await …).name`, or a name for
 * the whole module.
 */
function namesOfLazyImport(call: ts.Expression): string[] {
  let node: ts.Node = call
  while (ts.isAwaitExpression(node.parent) || ts.isParenthesizedExpression(node.parent)) node = node.parent
  const { parent } = node
  if (ts.isVariableDeclaration(parent)) return namesOfBinding(parent.name)
  if (!ts.isPropertyAccessExpression(parent)) return [everything]
  if (node !== call) return [parent.name.text]
  const then = parent.parent
  const taker = ts.isCallExpression(then) ? then.arguments[0] : undefined
  const parameter = taker && ts.isArrowFunction(taker) ? taker.parameters[0] : undefined
  if (!taker || !parameter) return [everything]
  if (!ts.isIdentifier(parameter.name)) return namesOfBinding(parameter.name)
  const whole = parameter.name.text
  const names: string[] = []
  walkTree((taker as ts.ArrowFunction).body, (inner) => {
    if (!ts.isIdentifier(inner) || inner.text !== whole) return
    const access = inner.parent
    names.push(
      ts.isPropertyAccessExpression(access) && access.expression === inner ? access.name.text : everything,
    )
  })
  return names
}

function namesOfBinding(name: ts.BindingName): string[] {
  if (!ts.isObjectBindingPattern(name)) return [everything]
  return name.elements.map((element) => {
    const taken = element.propertyName ?? element.name
    return ts.isIdentifier(taken) && !element.dotDotDotToken ? taken.text : everything
  })
}

const firstName = (name: ts.EntityName): string => (ts.isIdentifier(name) ? name.text : firstName(name.left))
