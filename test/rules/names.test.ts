// Names, exports and functions, checked in the syntax trees: names are common terms, exports are used,
// functions are short.
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { declaredNames, functionLengths } from '../support/declarations.ts'
import { isUsed, usesIn } from '../support/export-uses.ts'
import { allExports, type Exported, isOneWord } from '../support/exports.ts'
import { filesBelow, sources, wordsOfName } from '../support/sources.ts'

/**
 * Exported functions of one word: each is the noun or verb that its file is named after. The list
 * may only shrink.
 */
const oneWordFunctions = ['checksum', 'clip', 'decide', 'field', 'fingerprint', 'invoke', 'once', 'render']

/** Exported types of one word, each a term that needs no second word. The list may only shrink. */
const oneWordTypes = [
  'Agent',
  'Budget',
  'Capabilities',
  'Catalog',
  'Ctx',
  'Effort',
  'Event',
  'Failure',
  'Fence',
  'Glob',
  'Hunk',
  'Journal',
  'Ledger',
  'Level',
  'Mailbox',
  'Mode',
  'Model',
  'Pager',
  'Pen',
  'Plugin',
  'Policy',
  'Profile',
  'Proposer',
  'Runtime',
  'Skill',
  'Store',
  'Thread',
  'Tool',
]

/** Declares the module `vscode` with the names of the editor. */
const editorStandIn = 'internal/lsp/vscode-host.ts'

/** Words without a meaning for a reader who searches by common terms, in any position of a name. */
const retired = new Set(
  (
    'desk seat sit chair ground arena shelf purse post book above around again told retell said looked ' +
    'contest crew modest served wild'
  ).split(' '),
)

/** Words that are wrong in one sense only, with the names that have that sense. */
const retiredSenses: Readonly<Record<string, RegExp>> = {
  // a limit is maxX or minX
  most: /^(most|MOST)(?![a-z])/,
  // a lock is acquired and released
  hold: /^hold(Lock|Lease|Process|Workspace)/,
  // Whether something exists. The plural of the noun means several answers.
  answers: /^answers(?=[A-Z])/,
}

/** Names of functions that do not describe what they do. */
const retiredFunctions = new Set(['given'])

/** Names with a retired word that are correct. */
const meant: Readonly<Record<string, string>> = {
  askAgain: 'asks the model a second time, as the field calls it',
}

/** Files with exports that other code uses, each with its reason. */
const usedElsewhere: Readonly<Record<string, string>> = {
  [editorStandIn]: 'the language client finds it under the name `vscode`',
  'internal/service/library/library-types.ts': 'the build hands them out with the package',
  'cmd/library/main.ts': 'programs that use Anode as a library call them, through library.mjs',
}

const maxFunctionLines = 60

/**
 * Names that stay, file and name: `said` is a key of a stored file, `above` is a price above a
 * number of tokens.
 */
const offenders: readonly string[] = ['internal/model/model-price.ts above', 'internal/plugin/plugin.ts said']

const isTool = (file: string) => file.startsWith('internal/tools/')
const countsForWords = ({ file }: Exported) =>
  !isTool(file) && !file.startsWith('cmd/') && file !== editorStandIn

/** Returns the names that several files export, each with these files. */
function sharedNames(exports: readonly Exported[]): string[] {
  const owners = new Map<string, string[]>()
  for (const { file, name } of exports) owners.set(name, [...(owners.get(name) ?? []), file])
  return [...owners].flatMap(([name, files]) => (files.length > 1 ? [`${name}: ${files.join(', ')}`] : []))
}

function hasRetiredWord(name: string): boolean {
  if (name in meant) return false
  return wordsOfName(name).some((word) => retired.has(word) || retiredSenses[word]?.test(name) === true)
}

describe('names', () => {
  const exports = allExports()
  const ofKind = (kind: Exported['kind']) => exports.filter((one) => one.kind === kind)

  it('of exported types are unique', () => {
    expect(sharedNames(ofKind('type'))).toEqual([])
  })

  it('of exported functions have one word in 15 of 100 at most, and only if the file has the same name', () => {
    const functions = ofKind('function').filter(countsForWords)
    const short = functions.filter(({ name }) => isOneWord(name))
    expect(short.length).toBeLessThanOrEqual(0.15 * functions.length)
    expect(short.map(({ name }) => name).sort()).toEqual(oneWordFunctions)
    const carried = ({ file, name }: Exported) => name.startsWith(basename(file, '.ts'))
    expect(short.filter((one) => !carried(one)).map(({ file, name }) => `${name} in ${file}`)).toEqual([])
    const names = new Set(short.map(({ name }) => name))
    expect(sharedNames(functions.filter(({ name }) => names.has(name)))).toEqual([])
  })

  it('of exported types have one word in 20 of 100 at most', () => {
    const types = ofKind('type').filter(countsForWords)
    const short = types.filter(({ name }) => isOneWord(name))
    expect(short.length).toBeLessThanOrEqual(0.2 * types.length)
    expect(short.map(({ name }) => name).sort()).toEqual(oneWordTypes)
  })

  it('contain no retired word', () => {
    const files = sources()
    const paths = files.filter((file) => file.replace(/\.ts$/, '').split('/').some(hasRetiredWord))
    const names = files
      .flatMap(declaredNames)
      .filter(({ name, kind }) => hasRetiredWord(name) || (kind === 'function' && retiredFunctions.has(name)))
      .map(({ file, name }) => `${file} ${name}`)
    expect([...new Set([...paths, ...names])].sort()).toEqual(offenders)
  })
})

describe('exports', () => {
  it('are each used by another file', () => {
    const scripts = ['cmd', 'test'].flatMap((dir) => filesBelow(dir, '.mjs'))
    const files = [...sources(), ...filesBelow('test', '.ts'), ...scripts]
    const uses = new Set(files.flatMap(usesIn))
    const dead = allExports().filter(
      ({ file, name }) => !(file in usedElsewhere) && !isUsed(uses, file, name),
    )
    expect(dead.map(({ file, name }) => `${file} ${name}`)).toEqual([])
  })
})

describe('functions', () => {
  it(`have ${maxFunctionLines} lines at most`, () => {
    const long = sources()
      .flatMap(functionLengths)
      .filter(({ lines }) => lines > maxFunctionLines)
    expect(long.map(({ file, name }) => `${file} ${name}`)).toEqual([])
  })
})
