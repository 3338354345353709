// No code names a profile: which ones exist is decided by files alone, and who needs one asks for what it serves.
import { basename } from 'node:path'
import ts from 'typescript5'
import { expect, test } from 'vitest'
import { verbs } from '../../cmd/anode/verbs.ts'
import { loadBuiltinProfiles } from '../../internal/profile/profile-set.ts'
import { walkTree } from '../support/declarations.ts'
import { treeOf } from '../support/exports.ts'
import { reachedFrom } from '../support/import-graph.ts'
import { filesBelow, read, sources } from '../support/sources.ts'

/** Names and aliases of all profiles. */
const names = (await loadBuiltinProfiles()).flatMap(({ name, aliases }) => [name, ...aliases])
/** Words that the program has for something else too: they name a profile only where one is asked for. */
const otherWords = new Set([
  ...Object.keys(verbs),
  ...filesBelow('internal/tools', '.ts').map((file) => basename(file, '.ts')),
])

/** The files by which a profile can be had: those that load them, and the contract by which an agent is started. */
const waysToProfiles = /^internal\/(profile\/|tool\/ctx\.ts$)/

/** What is known of a string in the code that reads like the name of a profile. */
interface NamedProfile {
  readonly literal: ts.StringLiteralLike
  readonly where: string
}

function literalsIn(file: string): NamedProfile[] {
  const text = read(file)
  if (!names.some((name) => text.includes(name))) return []
  const tree = treeOf(file)
  const found: NamedProfile[] = []
  walkTree(tree, (node) => {
    if (!ts.isStringLiteralLike(node) || !names.includes(node.text)) return
    const line = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line
    found.push({ literal: node, where: `${file}:${line + 1}: ${node.parent.getText(tree).slice(0, 80)}` })
  })
  return found
}

const saysProfile = (node: ts.Node | undefined) =>
  node !== undefined && /profile/i.test(node.getText().split('.').at(-1) ?? '')

/** Whether a value stands where a profile is asked for: given to, compared with or looked up in one. */
function asksForProfile(value: ts.Node): boolean {
  const { parent } = value
  if (ts.isPropertyAssignment(parent) || ts.isVariableDeclaration(parent) || ts.isParameter(parent))
    return saysProfile(parent.name)
  if (ts.isBinaryExpression(parent))
    return saysProfile(parent.left) || saysProfile(parent.right) || asksForProfile(parent)
  if (ts.isCallExpression(parent)) return saysProfile(parent.expression)
  if (ts.isElementAccessExpression(parent)) return saysProfile(parent.expression)
  if (ts.isCaseClause(parent)) return saysProfile(parent.parent.parent.expression)
  return (
    (ts.isParenthesizedExpression(parent) || ts.isConditionalExpression(parent)) && asksForProfile(parent)
  )
}

/** Names of constants that hold such a string: they may no more stand where a profile is asked for. */
function constantsIn(found: readonly NamedProfile[]): string[] {
  return found.flatMap(({ literal: { parent } }) =>
    ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name) ? [parent.name.text] : [],
  )
}

const files = sources()
const found = new Map(files.map((file) => [file, literalsIn(file)]))

test('the profiles have names', () => {
  expect(names).toHaveLength(12)
})

test('no profile is asked for by its name', () => {
  const asked = [...found.values()].flat().filter(({ literal }) => asksForProfile(literal))
  expect(asked.map(({ where }) => where)).toEqual([])
})

test('no constant with such a name stands where a profile is asked for', () => {
  const constants = new Set([...found.values()].flatMap(constantsIn))
  const mention = new RegExp(`\\b(?:${[...constants].join('|')})\\b`)
  const asked = files.flatMap((file) => {
    const uses: string[] = []
    if (!mention.test(read(file))) return uses
    walkTree(treeOf(file), (node) => {
      if (ts.isIdentifier(node) && constants.has(node.text) && asksForProfile(node))
        uses.push(`${file}: ${node.parent.getText()}`)
    })
    return uses
  })
  expect(asked).toEqual([])
})

test('where a profile can be had, no string reads like one', () => {
  const known = new Set(files)
  const near = files.filter((file) => {
    if (found.get(file)?.length === 0) return false
    return [...reachedFrom(file, (one) => known.has(one))].some((one) => waysToProfiles.test(one))
  })
  const read = near.flatMap((file) => {
    const isOfProfiles = file.startsWith('internal/profile/')
    return (found.get(file) ?? []).filter(({ literal }) => isOfProfiles || !otherWords.has(literal.text))
  })
  expect(read.map(({ where }) => where)).toEqual([])
})
