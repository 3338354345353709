// Whole lines: one of the kinds, alone or several in a list, and everyday lines with something changed.

import {
  bundledCommand,
  gitCommand,
  programCommand,
  scriptCommand,
  testCommand,
  writerCommand,
} from './commands.ts'
import { between, chance, choice, type Rng, several, weighted } from './draw.ts'
import { extras, templates, withExtra } from './extras.ts'
import {
  arithmetic,
  compound,
  declaration,
  heredoc,
  redirected,
  redirection,
  simpleCommand,
  soup,
  wrapped,
} from './grammar.ts'
import { pieces } from './pieces.ts'
import { codeText, expansion, globWord, plainText, word } from './values.ts'

export interface GeneratedLine {
  kind: string
  line: string
}

const everyday = pieces('everyday lines')

const joints = pieces('joints')

/** Returns an everyday command with tokens inserted, replaced, swapped, repeated or cut. */
function mutated(random: Rng, danger: number): string {
  let tokens = choice(random, everyday).split(
    /(?<=\s)|(?=\s)|(?<=[|&;<>()'"$`\\{}[\]])|(?=[|&;<>()'"$`\\{}[\]])/,
  )
  for (let left = between(random, 0, 2); left > 0; left--) {
    const at = between(random, 0, tokens.length - 1)
    const more = weighted(random, [
      [3, () => word(random, danger)],
      [2, () => codeText(random)],
      [1, () => expansion(random)],
      [1, () => globWord(random)],
      [2, () => plainText(random)],
      [2, () => choice(random, joints)],
      [1, () => redirection(random, danger)],
      [1, () => choice(random, pieces('single characters'))],
      [2, () => ` ${simpleCommand(random, danger)} `],
    ])()
    const kind = random()
    if (kind < 0.45) tokens.splice(at, 0, more)
    else if (kind < 0.7) tokens.splice(at, 1, more)
    else if (kind < 0.8) tokens.splice(at, 1)
    else if (kind < 0.9) tokens = [...tokens.slice(at), ...tokens.slice(0, at)]
    else tokens.splice(at, 0, ...tokens.slice(at, at + 2))
  }
  return tokens.join('')
}

/** Lists and pipelines of harmless commands, with one that may not be. */
function listed(random: Rng, danger: number): string {
  const commands = several(random, 2, 3, (r) => (chance(r, 0.3) ? simpleCommand(r, danger) : calm(r)))
  return commands
    .map((command, i) =>
      i === 0 ? command : choice(random, chance(random, 0.75) ? joints.slice(0, 6) : joints) + command,
    )
    .join('')
}

/** Returns a command with a comment, a joined line or an odd space in one or two positions. */
function interrupted(random: Rng, danger: number): string {
  const line = choice(random, [choice(random, templates), calm(random), simpleCommand(random, danger)])
  return several(random, 1, 2, (r) => choice(r, extras)).reduce(
    (text, extra) => choice(random, withExtra(text, extra)),
    line,
  )
}

const calm = (random: Rng): string => choice(random, everyday)

type Maker = readonly [number, readonly [string, (random: Rng, danger: number) => string]]
const kinds: readonly Maker[] = [
  [9, ['program', programCommand]],
  [7, ['script', scriptCommand]],
  [5, ['list', listed]],
  [6, ['everyday', mutated]],
  [4, ['test', testCommand]],
  [3, ['redirection', redirected]],
  [2, ['here-document', heredoc]],
  [2, ['compound', compound]],
  [2, ['git', gitCommand]],
  [1.5, ['declaration', declaration]],
  [1, ['arithmetic', arithmetic]],
  [1.5, ['wrapper', wrapped]],
  [3, ['extra', interrupted]],
  [1, ['soup', soup]],
]

/** What most lines do. */
export type LineFocus = 'reading' | 'writing' | 'starting' | 'bundling'

/**
 * Returns a command of a random kind, mostly harmless. A completely hostile command would be denied for
 * an uninteresting reason.
 */
export function generateLine(random: Rng, focus: LineFocus): GeneratedLine {
  const writer: Maker = [focus === 'writing' ? 20 : 1, ['writer', writerCommand]]
  const starter: Maker = [focus === 'starting' ? 8 : 0.5, ['wrapper', wrapped]]
  const bundler: Maker = [focus === 'bundling' ? 1_000 : 1, ['bundle', bundledCommand]]
  const [kind, make] = weighted(random, [...kinds, writer, starter, bundler])
  const danger = choice(random, [0, 0.1, 0.3, 1])
  let line = make(random, danger)
  if (chance(random, 0.12)) line = frame(random, line)
  return { kind, line }
}

function frame(random: Rng, line: string): string {
  const other = calm(random)
  return choice(random, [
    `${line}${choice(random, joints)}${other}`,
    `${other}${choice(random, joints)}${line}`,
    `(${line})`,
    `{ ${line}; }`,
    `if ${line}; then ${other}; fi`,
    `echo "$(${line})"`,
    `for i in 1 2; do ${line}; done`,
    `! ${line}`,
    `${line} # x`,
    `${line} &`,
    `cd sub; ${line}`,
    `cd dash && ${line}`,
    `cd link-deep/.. && ${line}`,
    `(cd odd; ${line})`,
    ` ${line} `,
    `${line}\n`,
    `set -e; ${line}`,
    `${line} 2>&1 | ${other}`,
    `x=1; ${line}`,
  ])
}
