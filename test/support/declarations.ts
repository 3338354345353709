// What the sources declare, read from their syntax: every name with its kind, and the length of every function.
import ts from 'typescript5'
import { treeOf } from './exports.ts'

export interface DeclaredName {
  readonly file: string
  readonly name: string
  readonly kind: 'function' | 'type' | 'member' | 'local'
}

export interface FunctionLength {
  readonly file: string
  readonly name: string
  readonly lines: number
}

/** Functions, types, members, parameters and variables that a file gives a name, in the order of its text. */
export function declaredNames(file: string): DeclaredName[] {
  const found: DeclaredName[] = []
  walkTree(treeOf(file), (node) => {
    const kind = kindOf(node)
    if (kind === undefined) return
    const { name } = node as ts.NamedDeclaration
    if (name && ts.isIdentifier(name)) found.push({ file, name: name.text, kind })
  })
  return found
}

function kindOf(node: ts.Node): DeclaredName['kind'] | undefined {
  if (ts.isFunctionDeclaration(node) || ts.isFunctionExpression(node)) return 'function'
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node))
    return 'type'
  if (ts.isPropertySignature(node) || ts.isMethodSignature(node) || ts.isMethodDeclaration(node))
    return 'member'
  if (ts.isParameter(node) || ts.isVariableDeclaration(node) || ts.isBindingElement(node)) return 'local'
  return undefined
}

/**
 * Returns the length of each function with a body, in lines. A function without a name has the name of its
 * assignment or call.
 */
export function functionLengths(file: string): FunctionLength[] {
  const tree = treeOf(file)
  const lineOf = (at: number) => tree.getLineAndCharacterOfPosition(at).line
  const found: FunctionLength[] = []
  walkTree(tree, (node) => {
    if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return
    const lines = lineOf(node.end) - lineOf(node.getStart(tree)) + 1
    found.push({ file, name: nameOf(node, tree), lines })
  })
  return found
}

/** Calls `visit` with every node below a node, itself first. */
export function walkTree(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node)
  ts.forEachChild(node, (child) => walkTree(child, visit))
}

function nameOf(node: ts.SignatureDeclaration, tree: ts.SourceFile): string {
  const named = node.name ?? (node.parent as ts.NamedDeclaration).name
  if (named) return named.getText(tree)
  for (let up: ts.Node | undefined = node.parent; up; up = up.parent)
    if (ts.isFunctionLike(up) || ts.isVariableDeclaration(up)) {
      const outer = up.name?.getText(tree)
      if (outer !== undefined) return `inside ${outer}`
    }
  return 'without a name'
}
