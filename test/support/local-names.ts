// The names that a source file declares for itself: functions and types of the module that it does not export,
// and all variables and parameters.
import ts from 'typescript5'
import { walkTree } from './declarations.ts'
import { exportsOf, treeOf } from './exports.ts'

export interface LocalName {
  readonly file: string
  readonly name: string
  readonly kind: 'function' | 'type' | 'variable'
}

/** Participles that do not say what a variable holds. Before a noun they are correct: `foundFiles`. */
const participles = new Set(
  (
    'found known shown own made kept asked given told held taken begun wanted left gone seen chosen cut ' +
    'ended used sent'
  ).split(' '),
)

export const isBareParticiple = (name: string): boolean => participles.has(name)

/** Returns the local names of a file. Parameters of types have no body that uses them and do not count. */
export function localNames(file: string): LocalName[] {
  const exported = new Set(exportsOf(file).map(({ name }) => name))
  const names: LocalName[] = []
  const add = (kind: LocalName['kind'], name: ts.Node | undefined) => {
    if (name && ts.isIdentifier(name)) names.push({ file, name: name.text, kind })
  }
  for (const statement of treeOf(file).statements) {
    for (const { kind, name } of moduleNames(statement)) if (!exported.has(name.text)) add(kind, name)
  }
  walkTree(treeOf(file), (node) => {
    if (ts.isVariableDeclaration(node) || ts.isBindingElement(node)) add('variable', node.name)
    if (ts.isParameter(node) && 'body' in node.parent) add('variable', node.name)
  })
  return names
}

/** Returns the functions and types that a statement of a module declares. */
function moduleNames(statement: ts.Statement): { kind: LocalName['kind']; name: ts.Identifier }[] {
  if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
    return [{ kind: 'type', name: statement.name }]
  if (ts.isClassDeclaration(statement) && statement.name) return [{ kind: 'type', name: statement.name }]
  if (ts.isFunctionDeclaration(statement) && statement.name) return functionName(statement.name)
  if (!ts.isVariableStatement(statement)) return []
  return statement.declarationList.declarations.flatMap(({ name, initializer }) => {
    const isFunction =
      initializer && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer))
    return isFunction && ts.isIdentifier(name) ? functionName(name) : []
  })
}

/** A component begins with a capital letter, as JSX requires, and is named by a noun. */
const functionName = (name: ts.Identifier): { kind: 'function'; name: ts.Identifier }[] =>
  /^[A-Z]/.test(name.text) ? [] : [{ kind: 'function', name }]
