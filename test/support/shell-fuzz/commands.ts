// One simple command: a program with options and operands, or a script in the language of that program.

import { between, chance, choice, type Rng, several, weighted } from './draw.ts'
import { listed } from './listed.ts'
import { pieces } from './pieces.ts'
import { type Program, type ProgramOption, programs, type ValueKind, writers } from './programs.ts'
import { awkProgram, findExpression, jqFilter, sedScript, testExpression } from './scripts.ts'
import { fileName, laced, misquote, numbers, plainText, quote, word } from './values.ts'

const byName = new Map(programs.map((program) => [program.name, program]))

/** Programs that commands use most, so that their scripts are tried most. */
const frequent = pieces('frequent programs')

/** Returns one value of a kind, before quoting. */
function value(random: Rng, kind: ValueKind, program: string, danger: number): string {
  if (chance(random, danger * 0.12)) return laced(random)
  switch (kind) {
    case 'f':
      return fileName(random, danger / 2)
    case 'n':
      return choice(random, numbers)
    case 'k':
      return choice(random, ['1', '1,3', '2-', '1,2n', '1.2', '-3', '2,2r', '1,1k2', 'a'])
    case 'p':
      return choice(random, pieces('patterns'))
    case 'c':
      return script(random, program)
    case 'd':
      return deed(random, program)
    default:
      return plainText(random)
  }
}

function script(random: Rng, program: string): string {
  if (program.startsWith('sed')) return sedScript(random)
  if (program.endsWith('awk')) return awkProgram(random)
  if (program === 'jq') return jqFilter(random)
  return laced(random)
}

/** Returns an operand of dd, or the object that git changes. */
function deed(random: Rng, program: string): string {
  const path = fileName(random, 0.5)
  if (program === 'dd') return `${choice(random, ['of', 'of', 'if'])}=${path}`
  return choice(random, [
    `checkout -- ${path}`,
    `rm -f ${path}`,
    `mv a.txt ${path}`,
    'clean -fdx',
    `config x.y ${path}`,
    'reset --hard',
    `apply ${path}`,
    'stash -u',
    `restore ${path}`,
  ])
}

/**
 * Returns an option with its value: long options sometimes shortened, short ones in clusters, values
 * attached or separate.
 */
function option(random: Rng, program: Program, danger: number): string[] {
  const one = choice(random, program.options)
  const text = one.value && value(random, one.value, program.name, danger)
  if (one.name.startsWith('--')) {
    const cut = chance(random, 0.12) ? between(random, 3, one.name.length) : one.name.length
    const name = one.name.slice(0, cut)
    if (text === undefined) return [chance(random, 0.04) ? `${name}=${quote(random, laced(random))}` : name]
    return chance(random, 0.7) ? [`${name}=${quote(random, text)}`] : [name, quote(random, text)]
  }
  const cluster = chance(random, 0.25)
    ? flags(random, program.options) + one.name.slice(1)
    : one.name.slice(1)
  if (text === undefined) return [`-${cluster}`]
  return chance(random, 0.5) ? [`-${cluster}${quote(random, text)}`] : [`-${cluster}`, quote(random, text)]
}

function flags(random: Rng, options: readonly ProgramOption[]): string {
  const short = options.filter(({ name, value }) => value === undefined && /^-\w$/.test(name))
  return short.length === 0 ? '' : several(random, 1, 2, (r) => choice(r, short).name.slice(1)).join('')
}

const places = ['2', '2', '1', 'a.txt', 'b.txt', 'out.txt', 'sub', 'keep/f', '.env', 'secrets.yaml']

/** Option letters of programs, some with a value: without one, with a text, with a file. */
const bundling = listed.flatMap(({ name, options }) => {
  const letters = options.filter((one) => /^-\w$/.test(one.name))
  const pools = [undefined, 't', 'f'].map((value) => letters.filter((one) => one.value === value))
  const kinds = pools.filter((pool) => pool.length > 0)
  return kinds.length > 1 ? [{ name, kinds }] : []
})

/** Returns letters in one word. Some programs read the rest as a value, some the next word, some nothing. */
export function bundledCommand(random: Rng): string {
  const { name, kinds } = choice(random, bundling)
  const letter = (r: Rng) => choice(r, choice(r, kinds)).name[1]
  const words = several(random, 1, 2, (r) => `-${several(r, 1, 3, letter).join('')}`)
  return [name, ...words, ...several(random, 1, 3, (r) => choice(r, places))].join(' ')
}

/** Returns a program with some of its options and operands. A higher `danger` makes more of it hostile. */
export function programCommand(random: Rng, danger: number): string {
  if (chance(random, 0.5)) return invocation(random, choice(random, listed), danger)
  const name = chance(random, 0.3) ? choice(random, frequent) : choice(random, programs).name
  return invocation(random, byName.get(name) as Program, danger)
}

/** Returns a program that writes, mostly to a forbidden path. */
export const writerCommand = (random: Rng): string => invocation(random, choice(random, writers), 1)

function invocation(random: Rng, program: Program, danger: number): string {
  const { name } = program
  if (name === 'find') return findCommand(random, danger)
  const options =
    program.options.length > 0 ? several(random, 0, 2, (r) => option(r, program, danger)).flat() : []
  const operands = program.operands.flatMap((kind, i) => {
    const last = i === program.operands.length - 1
    const count = last ? between(random, 0, kind === 'f' ? 2 : 1) : 1
    return Array.from({ length: count }, () => operand(random, kind, program.name, danger))
  })
  const tail = chance(random, 0.06) ? several(random, 1, 2, (r) => word(r, danger)) : []
  const words = chance(random, 0.07) ? [...operands, ...options] : [...options, ...operands]
  return [name, ...words, ...tail].join(' ')
}

function operand(random: Rng, kind: ValueKind, program: string, danger: number): string {
  if (chance(random, danger * 0.25)) return word(random, 1)
  const text = value(random, kind, program, danger)
  return program === 'git' && kind === 'd' ? text : quote(random, text)
}

export function findCommand(random: Rng, danger: number): string {
  const places = several(random, 0, 2, (r) => quote(r, fileName(r, danger / 3)))
  return ['find', ...places, ...findExpression(random).map((text) => quote(random, text))].join(' ')
}

/** Returns sed, awk or jq with a script that is mostly harmless and partly hostile. */
export function scriptCommand(random: Rng, danger: number): string {
  const name = choice(random, ['sed', 'sed', 'sed', 'awk', 'awk', 'gawk', 'mawk', 'jq', 'jq'])
  const program = byName.get(name) as Program
  const leading = weighted(random, [
    [
      6,
      () =>
        choice(
          random,
          (
            {
              sed: ['', '-n ', '-E ', '-e ', '-n -e ', '-s ', '-nE '],
              jq: ['', '-r ', '-c ', '-n ', '-rn ', '-s '],
            } as Record<string, string[]>
          )[name] ?? ['', '', '-F, ', '-F: ', '-v x=1 ', "-vx='a\\nb' "],
        ),
    ],
    [1, () => `${option(random, program, danger).join(' ')} `],
  ])()
  // a script without input lines does nothing
  const input = chance(random, 0.6)
    ? [choice(random, ['a.txt', 'a.txt', 'b.txt', 'table.csv', 'data.json'])]
    : []
  const files = several(random, 0, 2, (r) =>
    chance(r, danger * 0.3) ? word(r, 1) : quote(r, fileName(r, danger / 3)),
  )
  const more =
    name.endsWith('awk') && chance(random, 0.08)
      ? [quote(random, `${choice(random, ['x', 'FS', 'RS', 'ARGV'])}=${laced(random)}`)]
      : []
  const text = script(random, name)
  const quoted = chance(random, danger * 0.06) ? misquote(random, text) : `'${text.replaceAll("'", "'\\''")}'`
  return [name, `${leading}${quoted}`, ...more, ...input, ...files].join(' ')
}

/** Returns `test` in its two spellings, with any expression inside. */
export function testCommand(random: Rng, danger: number): string {
  const inside = testExpression(random, (r) => word(r, danger))
  return weighted(random, [
    [6, () => `[ ${inside} ]`],
    [2, () => `[[ ${inside} ]]`],
    [2, () => `test ${inside}`],
    [0.5, () => `[${inside}]`],
    [0.5, () => `[ ${inside}`],
  ])()
}

const gitWords = pieces('git commands')
const gitOptions = pieces('git options')
const gitOperands = pieces('git operands')

export function gitCommand(random: Rng, danger: number): string {
  const global = chance(random, 0.12) ? choice(random, pieces('git global options')) : ''
  const options = several(random, 0, 2, (r) =>
    chance(r, 0.6) ? choice(r, gitOptions.slice(0, 16)) : choice(r, gitOptions),
  )
  const operands = several(random, 0, 2, (r) =>
    chance(r, danger * 0.4)
      ? word(r, 1)
      : choice(r, chance(r, danger * 0.5) ? gitOperands : gitOperands.slice(0, 5)),
  )
  return [
    'git',
    global,
    choice(random, chance(random, 0.75) ? gitWords.slice(0, 22) : gitWords),
    ...options,
    ...operands,
  ]
    .filter(Boolean)
    .join(' ')
}
