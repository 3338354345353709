// How often the sources use idioms that get fewer, and how large their types are, counted in the syntax trees.
import ts from 'typescript5'
import { walkTree } from './declarations.ts'
import { treeOf } from './exports.ts'

/** Idioms with the number of their uses in one file. */
export interface IdiomCounts {
  /** `...{ a, b }`: a spread of an object literal. */
  readonly literalSpreads: number
  /** `...(cond && { a })`: a spread that may add nothing. */
  readonly conditionalSpreads: number
  /** `const [a, b] = [x, y]`: two statements in one line. */
  readonly pairedAssignments: number
  /** `import('…')`: a module that is loaded when the line runs. */
  readonly lazyImports: number
  /** `defined({ … })`: a copy without absent values. */
  readonly definedCalls: number
}

export function countIdioms(file: string): IdiomCounts {
  const counts = {
    literalSpreads: 0,
    conditionalSpreads: 0,
    pairedAssignments: 0,
    lazyImports: 0,
    definedCalls: 0,
  }
  walkTree(treeOf(file), (node) => {
    if (ts.isSpreadAssignment(node)) {
      const spread = withoutParentheses(node.expression)
      if (ts.isObjectLiteralExpression(spread)) counts.literalSpreads++
      if (isConditional(spread)) counts.conditionalSpreads++
    }
    if (isPairedAssignment(node)) counts.pairedAssignments++
    if (ts.isCallExpression(node)) {
      if (node.expression.kind === ts.SyntaxKind.ImportKeyword) counts.lazyImports++
      if (ts.isIdentifier(node.expression) && node.expression.text === 'defined') counts.definedCalls++
    }
  })
  return counts
}

function withoutParentheses(node: ts.Expression): ts.Expression {
  return ts.isParenthesizedExpression(node) ? withoutParentheses(node.expression) : node
}

/** Whether an expression is an object or nothing, as a condition decides. */
function isConditional(node: ts.Expression): boolean {
  if (ts.isConditionalExpression(node)) return true
  return (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken &&
    ts.isObjectLiteralExpression(withoutParentheses(node.right))
  )
}

function isPairedAssignment(node: ts.Node): boolean {
  if (ts.isVariableDeclaration(node))
    return (
      ts.isArrayBindingPattern(node.name) &&
      node.initializer !== undefined &&
      ts.isArrayLiteralExpression(node.initializer)
    )
  return (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    ts.isArrayLiteralExpression(node.left) &&
    ts.isArrayLiteralExpression(node.right)
  )
}

/** Returns the number of members of each named interface, object type and class of a file. */
export function memberCounts(file: string): { name: string; members: number }[] {
  const sizes: { name: string; members: number }[] = []
  walkTree(treeOf(file), (node) => {
    if (ts.isInterfaceDeclaration(node) || ts.isClassLike(node)) {
      const members = node.members.filter((member) => !ts.isConstructorDeclaration(member)).length
      sizes.push({ name: node.name?.text ?? '', members })
    }
    if (ts.isTypeAliasDeclaration(node) && ts.isTypeLiteralNode(node.type))
      sizes.push({ name: node.name.text, members: node.type.members.length })
  })
  return sizes
}
