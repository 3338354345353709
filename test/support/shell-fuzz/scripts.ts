// Scripts for programs with a language: sed, awk, jq, find, test.

import { chance, choice, type Rng, several, weighted } from './draw.ts'
import { pieces } from './pieces.ts'
import { codeText, fileName, numbers, plainText } from './values.ts'

const join = (random: Rng, low: number, high: number, make: (random: Rng) => string, by = ''): string =>
  several(random, low, high, make).join(by)

const atoms = pieces('regex atoms')
const brackets = pieces('regex brackets')
const sedCode = pieces('sed code')

/** Returns a regular expression with parts that another reader might parse differently than the program. */
function regex(random: Rng, delimiter: string): string {
  return join(random, 0, 4, (r) => {
    const draw = r()
    if (draw < 0.55) return choice(r, atoms)
    if (draw < 0.8) return choice(r, brackets)
    if (draw < 0.88) return choice(r, sedCode)
    return draw < 0.94
      ? `\\${delimiter}`
      : choice(r, ['\\(', '\\)', '\\{1', '\\}', '\\c', '\\', delimiter, '\n', '\\x2f', '\\o57', '\\d047'])
  })
}

function address(random: Rng): string {
  const one = (): string => {
    const delimiter = choice(random, ['/', '/', '/', ',', '|', '#', 'e'])
    const draw = random()
    if (draw < 0.4) return choice(random, ['1', '2', '$', '0', '3', '1~2', '0~3'])
    const flags = choice(random, ['', '', 'I', 'M', 'e'])
    return `${delimiter === '/' ? '' : '\\'}${delimiter}${regex(random, delimiter)}${delimiter}${flags}`
  }
  if (chance(random, 0.4)) return ''
  return (
    one() +
    (chance(random, 0.25) ? `,${choice(random, [one(), '+2', '~2', ' 3'])}` : '') +
    choice(random, ['', '', ' ', '!'])
  )
}

function sedCommand(random: Rng): string {
  const delimiter = choice(random, ['/', '/', '/', '|', '#', ',', ':', 'e', 'w', ' ', '\n'])
  const flags = () =>
    join(random, 0, 2, (r) => choice(r, ['g', 'p', 'i', 'I', 'm', 'M', '2', 'e', 'w pwn', 'w', ' ']))
  const replacement = () =>
    join(random, 0, 3, (r) =>
      choice(r, [...atoms, ...brackets, ...sedCode, `\\${delimiter}`, '\\\n', '\n', 'evil']),
    )
  return weighted(random, [
    [5, () => choice(random, ['p', 'd', 'q', '=', 'n', 'N', 'g', 'h', 'x', 'P', 'D', 'l', 'z', 'F', 'Q'])],
    [6, () => `s${delimiter}${regex(random, delimiter)}${delimiter}${replacement()}${delimiter}${flags()}`],
    [1, () => `y${delimiter}${regex(random, delimiter)}${delimiter}${replacement()}${delimiter}`],
    [1, () => choice(random, sedCode)],
    [
      1,
      () =>
        choice(random, pieces('sed commands with text')) +
        choice(random, ['', 'text', '\ne evil', ';e evil']),
    ],
  ])()
}

/**
 * Returns few different pieces with one delimiter. Readers that split them elsewhere see different commands.
 */
function tightSed(random: Rng): string {
  const delimiter = choice(random, ['/', '/', '|', '#', ','])
  const search = () => choice(random, ['[', ']', '[', ']', '', 'a', '[^', '[]', 'a[', ']a', `\\${delimiter}`])
  const replace = () =>
    choice(random, ['', 'a', ']', 'e evil', 'e evil #', 'w pwn', ']e evil #', 'a]', '[', ';w pwn', '}'])
  return join(
    random,
    2,
    3,
    (r) =>
      chance(r, 0.4)
        ? `${delimiter === '/' ? '' : '\\'}${delimiter}${search()}${delimiter}${choice(r, ['p', 'd', '='])}`
        : `s${delimiter}${search()}${delimiter}${replace()}${delimiter}${choice(r, ['', 'g', 'p'])}`,
    ';',
  )
}

/**
 * Returns a bracket that opens in one expression and closes in the next. The text between is text
 * or a command.
 */
function bracketSed(random: Rng): string {
  const delimiter = choice(random, ['/', '/', '/', '|', '#', ','])
  const open = choice(random, ['[', '[', '[^', 'a[', '[]', '[a', '[^]', 'x*[', '\\[', '[[:'])
  const close = choice(random, [']', ']', ']a', 'a]', '[]', ']]', ':]]', '\\]', ']*'])
  const code = choice(random, [
    'e evil',
    'e evil #',
    'e evil #',
    'w pwn',
    ';e evil #',
    '}e evil #',
    'p;e evil #',
  ])
  const first = choice(random, [
    `${delimiter === '/' ? '' : '\\'}${delimiter}${open}${delimiter}${choice(random, ['p', '=', 'd', 'n'])}`,
    `s${delimiter}${open}${delimiter}${choice(random, ['', 'a', '&'])}${delimiter}${choice(random, ['', 'g', 'p'])}`,
  ])
  return `${first};s${delimiter}${close}${delimiter}${code}${delimiter}${choice(random, ['', 'g', 'p'])}`
}

export function sedScript(random: Rng): string {
  if (chance(random, 0.2)) return bracketSed(random)
  if (chance(random, 0.5)) return tightSed(random)
  if (chance(random, 0.3))
    return choice(random, ['p', '1,5p', '$p', 's/a/b/', 's/a/b/gp', '/a/p', '1d', '/x/,/y/p', '2q', '$='])
  return join(random, 1, 3, (r) => address(r) + sedCommand(r), choice(random, [';', '; ', '\n', ' ;', '']))
}

const awkValue = (random: Rng): string =>
  weighted(random, [
    [6, () => choice(random, pieces('awk values'))],
    [2, () => choice(random, pieces('awk functions'))],
    [
      1.2,
      () =>
        choice(random, [
          'ENVIRON["API_TOKEN"]',
          'SYMTAB["AR" "GV"][1]',
          'PROCINFO["argv"][0]',
          'FUNCTAB["x"]',
          'ENVIRON["API" "_TOKEN"]',
          'ARGV[1]',
          'SYMTAB["ENV" "IRON"]["API_TOKEN"]',
          'SYMTAB["FS"]',
        ]),
    ],
    [1, () => choice(random, pieces('awk reach'))],
    [
      1,
      () =>
        `(${awkValue(random)} ${choice(random, ['+', '>', '<', '==', '~', '!~', '&&', '||', ',', '%', '^', ' ', 'in', '?1:', '|&'])} ${awkValue(random)})`,
    ],
  ])()

const awkStatement = (random: Rng): string =>
  weighted(random, [
    [6, () => `print ${join(random, 0, 3, awkValue, choice(random, [',', ' ']))}`],
    [2, () => `printf ${choice(random, ['"%s\\n"', '"%d"', '"%c"', '"%s %s"'])}, ${awkValue(random)}`],
    [
      2,
      () =>
        `${choice(random, ['x', '$1', 'x[1]', 'FS', 'OFS', 'RS', 'ORS', 'NF', 'SYMTAB["x"]', 'SYMTAB["AR" "GV"][1]', 'ENVIRON["PATH"]', 'ARGV[1]', 'ARGC', 'FILENAME', 'PROCINFO["sorted_in"]', 'SYMTAB[$1]', 'BINMODE', 'CONVFMT'])}${choice(random, ['=', '+=', '='])}${chance(random, 0.3) ? `"@ROOT@/${choice(random, ['outside/plain.txt', 'ws/.env', 'home/.ssh/id_rsa'])}"` : awkValue(random)}`,
    ],
    [1, () => choice(random, pieces('awk statements'))],
    [
      0.7,
      () =>
        `print ${awkValue(random)} ${choice(random, ['>', '>>', '|', '|&', '> '])} ${choice(random, ['"pwn"', '"evil"', '$1', '"/dev/stdout"', '"keep/f"', 'FILENAME'])}`,
    ],
  ])()

export function awkProgram(random: Rng): string {
  const rule = (r: Rng): string => {
    const pattern = choice(r, pieces('awk patterns'))
    return `${pattern}{${join(r, 1, 3, awkStatement, ';')}}`
  }
  const head = chance(random, 0.05)
    ? choice(random, [
        '@include "x";',
        '@load "filefuncs";',
        'function f(a){system("evil")}',
        '#',
        '@namespace "x";',
        'func f(a){return a}',
      ])
    : ''
  return head + join(random, 1, 2, rule, choice(random, ['', ' ', '\n', ';']))
}

const jqTerms = pieces('jq terms')
const jqReach = pieces('jq reach')
const jqHeads = pieces('jq heads')

export function jqFilter(random: Rng): string {
  const body = join(
    random,
    1,
    3,
    (r) => choice(r, chance(r, 0.2) ? jqReach : jqTerms),
    choice(random, [' | ', '|', ',', ' , ', ' // ', ' + ', ' as $x | ', ' and ']),
  )
  if (!chance(random, 0.12)) return body
  return chance(random, 0.6) ? choice(random, jqHeads) : `${choice(random, jqHeads)} ${body}`
}

const findTests = ['-name', '-iname', '-path', '-ipath', '-regex', '-wholename', '-lname', '-ilname']
const findWords = pieces('find words')
const findDanger = pieces('find danger')

/** Returns the expression of a find command, word by word, not yet quoted. */
export function findExpression(random: Rng): string[] {
  return several(random, 0, 4, (r) =>
    weighted(r, [
      [
        4,
        () => [
          choice(r, findTests),
          choice(r, ['*.txt', '*', '.env', 'a*', '*/x', '[a]', 'evil', plainText(r)]),
        ],
      ],
      [3, () => ['-type', choice(r, ['f', 'd', 'l', 'f,d', 'x', 'p'])]],
      [2, () => [choice(r, pieces('find numbers')), choice(r, numbers)]],
      [4, () => [choice(r, findWords)]],
      [
        2,
        () => [
          choice(r, ['-printf', '-fprintf', '-newer', '-samefile', '-anewer', '-cnewer']),
          choice(r, ['%p\\n', '%f', '%h\\c', '%l', '%t', '%%', 'a.txt', '.env']),
        ],
      ],
      [
        0.6,
        () => [
          choice(r, findDanger),
          choice(r, ['evil', 'pwn', '{}', 'keep/f']),
          choice(r, [';', '+', '{}']),
        ],
      ],
    ])(),
  ).flat()
}

const testWords = pieces('test words')
const testBreaks = pieces('test breaks')

/** Returns the expression in `[ … ]`, as shell words. */
export function testExpression(random: Rng, operand: (random: Rng) => string): string {
  const plain = (r: Rng): string =>
    weighted(r, [
      [4, () => `${choice(r, testWords.slice(0, 8))} ${operand(r)}`],
      [
        3,
        () =>
          `${operand(r)} ${choice(r, ['=', '==', '!=', '-eq', '-ne', '-lt', '-gt', '-ge', '-nt', '-ef', '\\<'])} ${operand(r)}`,
      ],
      [1, () => operand(r)],
      [0.5, () => `! ${choice(r, testWords.slice(0, 8))} ${operand(r)}`],
    ])()
  if (chance(random, 0.5)) return plain(random)
  // a separator of the shell ends this command too, before any bracket
  if (chance(random, 0.15))
    return `${plain(random)}${choice(random, [' | ', ' || ', ' & ', '&', '|', ' ; ', ' && '])}${choice(random, ['evil', 'evil -f x', 'sh -c evil'])}`
  return join(
    random,
    1,
    6,
    (r) =>
      weighted(r, [
        [5, () => plain(r)],
        [3, () => choice(r, testWords)],
        [2, () => choice(r, testBreaks)],
        [
          2,
          () =>
            choice(r, [
              'evil',
              'no',
              'x',
              'sh -c evil',
              '-c evil',
              'a[0]',
              'a[$(evil)]',
              "'a[$(evil)]'",
              '$x',
              codeText(r),
              fileName(r, 0.3),
            ]),
        ],
      ])(),
    ' ',
  )
}
