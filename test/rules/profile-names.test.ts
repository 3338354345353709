// Profile names in code: none is allowed, because files alone define the profiles and code requests one
// by its task.
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
/** Words with another meaning in the program. They name a profile only in the position of a profile. */
const otherWords = new Set([
  ...Object.keys(verbs),
  ...filesBelow('internal/tools', '.ts').map((file) => basename(file, '.ts')),
])

/** The files that give access to profiles: those that load them, and the contract that starts an agent. */
const waysToProfiles = /^internal\/(profile\/|tool\/ctx\.ts$)/

/** A string in the code that equals the name of a profile. */
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

/** Whether a value is in the position of a profile: passed to, compared with or looked up in one. */
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

/** Returns the names of constants with such a string, which must not be used as a profile either. */
function constantsIn(found: readonly NamedProfile[]): string[] {
  return found.flatMap(({ literal: { parent } }) =>
    ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name) ? [parent.name.text] : [],
  )
}

const files = sources()
const found = new Map(files.map((file) => [file, literalsIn(file)]))

test('the profiles have names', () => {
  expect(names).toHaveLength(13)
})

test('no profile is requested by its name', () => {
  const asked = [...found.values()].flat().filter(({ literal }) => asksForProfile(literal))
  expect(asked.map(({ where }) => where)).toEqual([])
})

test('no constant with such a name is used as a profile', () => {
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

test('no string equals a profile name in files with access to profiles', () => {
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
