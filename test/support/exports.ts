// What the sources export, read from their syntax: names and kinds.
import ts from 'typescript5'
import { read, sources } from './sources.ts'

export interface Exported {
  readonly file: string
  readonly name: string
  readonly kind: 'type' | 'function' | 'value'
}

const trees = new Map<string, ts.SourceFile>()

/** Returns the syntax tree of a source file, parsed once. */
export function treeOf(file: string): ts.SourceFile {
  const known = trees.get(file)
  if (known) return known
  const tree = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true)
  trees.set(file, tree)
  return tree
}

/** Returns everything that a file declares and exports, without re-exports. */
export function exportsOf(file: string): Exported[] {
  return treeOf(file).statements.flatMap((statement): Exported[] => {
    const exported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some((one) => one.kind === ts.SyntaxKind.ExportKeyword)
    if (!exported) return []
    if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
      return [{ file, name: statement.name.text, kind: 'type' }]
    if (ts.isClassDeclaration(statement) && statement.name)
      return [{ file, name: statement.name.text, kind: 'type' }]
    if (ts.isFunctionDeclaration(statement) && statement.name)
      return [{ file, name: statement.name.text, kind: 'function' }]
    if (!ts.isVariableStatement(statement)) return []
    return statement.declarationList.declarations.flatMap((one): Exported[] => {
      if (!ts.isIdentifier(one.name)) return []
      const behaves =
        one.initializer && (ts.isArrowFunction(one.initializer) || ts.isFunctionExpression(one.initializer))
      return [{ file, name: one.name.text, kind: behaves ? 'function' : 'value' }]
    })
  })
}

export const allExports = (): Exported[] => sources().flatMap(exportsOf)

/** A name of one word: no capital letter behind the first. */
export const isOneWord = (name: string): boolean => /^[A-Za-z][a-z0-9]*$/.test(name)
