// Words of generated commands: names of files, code that must not start, and the ways to quote them.

import { between, chance, choice, type Rng, several } from './draw.ts'
import { pieces } from './pieces.ts'

/** The placeholder in a command for the throw-away directory, whose name differs in each run. */
export const ROOT = '@ROOT@'

const tame = [
  ...['a.txt', 'b.txt', 'src', 'src/a.ts', 'src/b.ts', 'data.json', 'sp ace.txt', '.', './a.txt', 'sub'],
  ...['src/', 'keep', 'keep/f', 'table.csv', 'sub/../a.txt', 'none.txt', 'src/../b.txt', 'loop', '-'],
]

/** Files that must not be read: outside of the directory, secret by name, reached through links. */
const forbidden = [
  ...['../outside/plain.txt', '../outside', '..', '../home/.ssh/id_rsa', `${ROOT}/outside/plain.txt`],
  ...[`${ROOT}/home/.ssh/id_rsa`, `${ROOT}/outside`, '~/.ssh/id_rsa', '~', '~/notes.txt', '~+/.env', '~-'],
  ...[
    '.env',
    './.env',
    'sub/.env',
    'secrets.yaml',
    'sub/../.env',
    'src/../../outside/plain.txt',
    'sub//.env',
  ],
  ...['link-out', 'link-out/plain.txt', 'link-file', 'link-env', 'link-out/..', 'link-deep/../plain.txt'],
  ...['/proc/self/environ', '/proc/self/cwd/.env', '/dev/fd/0', '/', `${ROOT}`, '.ENV', '.env/', 'key.pem'],
  ...['link-dir/.env', 'link-dir/../.env', 'sub/link-up/outside/plain.txt', '.git/config', '.env.local'],
]

/** Files that decide what runs later, and directories that are never written. */
const guarded =
  `.git/hooks/pre-commit .git/hooks .git .bashrc ~/.bashrc .anode/rules.md .anode .github/workflows/ci.yml .github keep keep/f
keep/new .git/config ./.bashrc sub/../.bashrc sub/.env link-env ../home/.bashrc .GIT/hooks/x .anode/../.bashrc keep/../keep/f`.split(
    /\s+/,
  )

const globs = pieces('globs')

const expansions = pieces('expansions')

/** Text that starts `evil` or writes if it is treated as code. */
const code = pieces('code')

const words = pieces('words')

export const numbers = pieces('numbers')

export const fileName = (random: Rng, danger: number): string =>
  choice(random, chance(random, danger) ? (chance(random, 0.3) ? guarded : forbidden) : tame)
export const globWord = (random: Rng): string => choice(random, globs)
export const expansion = (random: Rng): string => choice(random, expansions)
export const codeText = (random: Rng): string => choice(random, code)
export const plainText = (random: Rng): string => choice(random, words)

/** Returns a shell word for `text`, quoted in one of several ways, sometimes in several at once. */
export function quote(random: Rng, text: string): string {
  if (text !== '' && /^[\w./:@%+,=-]+$/.test(text) && chance(random, 0.85)) return text
  if (/^~[/+-]?/.test(text) && !/[\s'"]/.test(text) && chance(random, 0.8)) return text
  if (text.length > 1 && chance(random, 0.12)) {
    const cut = between(random, 1, text.length - 1)
    return quoteWhole(random, text.slice(0, cut)) + quoteWhole(random, text.slice(cut))
  }
  return quoteWhole(random, text)
}

function quoteWhole(random: Rng, text: string): string {
  const style = random()
  if (style < 0.6 && !text.includes("'")) return `'${text}'`
  if (style < 0.85) return `"${text.replace(/["\\$`]/g, '\\$&')}"`
  if (style < 0.93) return `$'${text.replace(/['\\]/g, '\\$&').replaceAll('\n', '\\n')}'`
  if (style < 0.97 && text !== '') return text.replace(/[^\w./-]/g, (c) => (c === '\n' ? "'\n'" : `\\${c}`))
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Returns wrong quoting on purpose: text that is not quoted although it must be, or only half. */
export function misquote(random: Rng, text: string): string {
  return choice(random, [
    text,
    `"${text}"`,
    `'${text}`,
    `"${text}`,
    `${text}'`,
    `$'${text}'`,
    `$"${text}"`,
    `\\${text}`,
  ])
}

/** Returns a text with code somewhere in it. */
export function laced(random: Rng): string {
  return several(random, 1, 3, (r) => (chance(r, 0.5) ? codeText(r) : plainText(r))).join(
    choice(random, ['', ' ']),
  )
}

/**
 * Returns one operand or value: mostly harmless, sometimes forbidden, a glob, an expansion or code. `danger`
 * is 0 to 1.
 */
export function word(random: Rng, danger: number): string {
  const draw = random()
  if (draw < 0.35) return quote(random, fileName(random, danger / 2))
  if (draw < 0.6) return quote(random, plainText(random))
  if (draw < 0.6 + 0.15 * danger) return globWord(random)
  if (draw < 0.6 + 0.25 * danger) return expansion(random)
  if (draw < 0.6 + 0.35 * danger) return quote(random, laced(random))
  if (draw < 0.6 + 0.38 * danger) return misquote(random, codeText(random))
  return quote(random, fileName(random, danger / 2))
}
