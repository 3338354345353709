// Shell grammar around simple commands: lists, redirections, arithmetic, declarations, compounds, wrappers.

import { gitCommand, programCommand, scriptCommand, testCommand } from './commands.ts'
import { chance, choice, type Rng, several, weighted } from './draw.ts'
import { pieces } from './pieces.ts'
import { codeText, expansion, fileName, globWord, laced, misquote, plainText, quote, word } from './values.ts'

type Make = (random: Rng, danger: number) => string

/** A simple command of any kind. */
export const simpleCommand: Make = (random, danger) =>
  weighted<Make>(random, [
    [8, programCommand],
    [2, scriptCommand],
    [1, testCommand],
    [1, gitCommand],
    [1, () => choice(random, pieces('small commands'))],
  ])(random, danger)

const operators = pieces('redirection operators')
const targets = pieces('redirection targets')

export const redirection: Make = (random, danger) => {
  const operator = choice(random, operators)
  if (/^\d?>&\d|&-$|null$/.test(operator) && chance(random, 0.8)) return operator
  if (chance(random, 0.3)) return `${operator}/dev/null`
  const target = chance(random, 0.6)
    ? choice(random, targets)
    : chance(random, 0.3)
      ? quote(random, laced(random))
      : word(random, danger)
  return operator + choice(random, ['', ' ', '']) + target
}

export const redirected: Make = (random, danger) => {
  const body = chance(random, 0.7)
    ? simpleCommand(random, danger / 2)
    : choice(random, ['true', '{ ls; }', '(ls)', 'echo x', ':', 'exec', '', 'cat', 'if true; then ls; fi'])
  const marks = several(random, 1, 2, (r) => redirection(r, danger))
  return chance(random, 0.15) ? [...marks, body].join(' ') : [body, ...marks].join(' ')
}

/** Here-documents: quoted or not, with tabs, two at once, with ends that are nearly one. */
export const heredoc: Make = (random, danger) => {
  const name = choice(random, ['EOF', 'E', 'A-B', 'é', 'EOF'])
  const start = choice(random, [
    name,
    name,
    `'${name}'`,
    `"${name}"`,
    `\\${name}`,
    `$'${name}'`,
    `${name[0]}'${name.slice(1)}'`,
    '$x',
    `"${name} "`,
  ])
  const body = several(random, 0, 3, (r) =>
    weighted(r, [
      [4, () => plainText(r)],
      [1.5, () => choice(r, pieces('here-document expansions'))],
      [
        1.5,
        () =>
          choice(r, [
            `${name} `,
            ` ${name}`,
            `\t${name}`,
            `${name}x`,
            `${name}\\`,
            `\\${name}`,
            `${name};evil`,
            `x ${name}`,
            `${name.slice(0, 1)}\\\n${name.slice(1)}`,
            'evil',
            `${name}\nevil`,
            `${name}\r`,
          ]),
      ],
    ])(),
  )
  const program = choice(random, [
    'cat',
    'cat',
    'wc -l',
    'grep x',
    'sort',
    'head -1',
    'sh',
    'sed -n p',
    'xargs echo',
    'tr a b',
    simpleCommand(random, danger / 3),
  ])
  const rest = choice(random, [
    '',
    '',
    '',
    ' | wc',
    ' && true',
    '; ls',
    ' \\',
    ' # x',
    ` <<${start}`,
    ' )',
    ' > /dev/null',
    ' | evil',
    ' a.txt',
    '\\',
  ])
  const end = choice(random, [name, name, name, `\t${name}`, '', `${name}\nls`, `${name}\necho x`])
  return `${program} ${choice(random, ['<<', '<<', '<<-', '<< ', '0<<', '<<\\\n'])}${start}${rest}\n${body.map((line) => `${line}\n`).join('')}${end}`
}

const arithmeticTexts = pieces('arithmetic')

export const arithmetic: Make = (random) => {
  const inside = several(random, 1, 2, (r) => choice(r, arithmeticTexts)).join(
    choice(random, ['+', ' ', ' && ', ',', '']),
  )
  return choice(random, [
    `echo $((${inside}))`,
    `((${inside}))`,
    `let '${inside}'`,
    `let ${inside}`,
    `echo $[${inside}]`,
    `echo "$((${inside}))"`,
    `(( ${inside} )) && ls`,
    `test ${inside} -eq 1`,
    `[ ${quote(random, inside)} -eq 1 ]`,
    `[[ ${inside} -eq 1 ]]`,
    `echo \${x:${inside}}`,
    `echo \${x[${inside}]}`,
    `x[${inside}]=1`,
    `for ((i=0;i<${inside};i++)); do ls; done`,
    `head -n $((${inside})) a.txt`,
    `seq $((${inside}))`,
    `echo $(( ${inside} ))`,
    `printf '%d' ${quote(random, inside)}`,
    `exit $((${inside}))`,
    `expr ${quote(random, inside)}`,
  ])
}

const declared = pieces('declared names')

export const declaration: Make = (random, danger) => {
  const keyword = choice(random, pieces('declaration keywords'))
  const options = keyword === '' || chance(random, 0.5) ? '' : choice(random, pieces('declaration options'))
  const names = several(random, 1, 2, (r) => (chance(r, 0.8) ? choice(r, declared) : word(r, danger)))
  const after = choice(random, pieces('behind declarations'))
  return [keyword, options, ...names].filter(Boolean).join(' ') + after
}

export const compound: Make = (random, danger) => {
  const c = () => simpleCommand(random, danger / 2)
  const w = () => word(random, danger)
  const sub = () => (chance(random, 0.15) ? 'evil' : c())
  const name = choice(random, ['f', 'ls', 'cat', 'evil2', 'cd', 'echo'])
  const variable = choice(random, ['x', 'i', 'PATH', 'f', 'IFS', 'PS4', 'a[1]', 'r'])
  return weighted(random, [
    [
      3,
      () =>
        choice(random, [
          `if ${c()}; then ${c()}; fi`,
          `if ${testCommand(random, danger)}; then ${c()}; else ${sub()}; fi`,
          `if ${c()}\nthen ${c()}\nelif ${c()}\nthen ${c()}\nfi`,
        ]),
    ],
    [
      3,
      () =>
        `for ${variable} in ${several(random, 0, 3, w).join(' ')}${choice(random, ['; do', '\ndo', ';do'])} ${choice(random, [c(), 'echo $x', 'echo "$i"', 'cat $i', '$i', 'cat "$x"', 'echo ${x}'])}; done`,
    ],
    [
      1,
      () =>
        `${choice(random, ['while', 'until'])} ${choice(random, ['false', 'true', c(), 'read x', '! true', 'read -r a[$(evil)]'])}; do ${c()}; break; done${choice(random, ['', ' < a.txt', ' | wc'])}`,
    ],
    [
      2,
      () =>
        `case ${w()} in ${choice(random, ['a)', 'a|b)', '(a)', '*)', '$(evil))', '"x")', '[a-z]*)', '@(a|b))', 'a*[$(evil)])', '`evil`)', "'a')", '\\))', 'esac)'])} ${sub()}${choice(random, [';;', ' ;;', ';&', ';;&', '\n;;', ''])} ${choice(random, ['', `*) ${c()};;`, '*) evil ;;'])} esac`,
    ],
    [
      3,
      () =>
        choice(random, [
          `(${c()})`,
          `( ${c()}; ${c()} )`,
          `{ ${c()}; }`,
          `{ ${c()}\n}`,
          `((${c()}))`,
          `( ( ${c()} ) )`,
          `{${c()};}`,
          `! ${c()}`,
          `time ${c()}`,
          `time -p ${c()}`,
          `! ! ${c()}`,
          `coproc ${c()}`,
          `coproc x { ${c()}; }`,
          `! { ${c()}; }`,
        ]),
    ],
    [
      1.5,
      () =>
        choice(random, [
          `${name}() { ${sub()}; }; ${name} x`,
          `function ${name} { ${sub()}; }; ${name}`,
          `${name}() (${sub()})\n${name}`,
          `trap '${sub().replaceAll("'", '')}' EXIT`,
          `trap evil ${choice(random, ['DEBUG', 'EXIT', 'ERR', '0', 'RETURN'])}; ls`,
          `alias ls=evil\nls`,
          `select x in a b; do ${c()}; break; done`,
          `eval ${w()}`,
          `eval "${c().replace(/["\\$`]/g, '\\$&')}"`,
          `source ${w()}`,
          `. ${w()}`,
        ]),
    ],
    [
      2,
      () =>
        `echo ${choice(random, ['$(', '"$(', '`', '<('])}${sub()}${choice(random, [')', ')"', '`', ')'])}`,
    ],
  ])()
}

const wrappers = pieces('wrappers')

export const wrapped: Make = (random, danger) => {
  if (chance(random, 0.4)) {
    const line = choice(random, pieces('starters'))
    return chance(random, 0.15) ? `${choice(random, pieces('wrappers'))} ${line}` : line
  }
  const wrapper = several(random, 1, 2, (r) =>
    choice(r, chance(r, 0.4) ? wrappers.slice(0, 14) : wrappers),
  ).join(' ')
  const inner = weighted(random, [
    [4, () => 'evil'],
    [2, () => codeText(random)],
    [4, () => simpleCommand(random, danger / 2)],
    [1, () => quote(random, choice(random, ['evil', simpleCommand(random, danger), 'sh -c evil']))],
    [
      1,
      () =>
        choice(random, [
          '/usr/bin/env evil',
          './evil',
          `${'@ROOT@'}/bin/evil`,
          '"evil"',
          'ev""il',
          "e'v'il",
          '\\evil',
          'e*l',
          '$x',
          "$'evil'",
          'evi[l]',
          '{evil,}',
          '-- evil',
          '-x evil',
          'x=1 evil',
        ]),
    ],
  ])()
  return `${wrapper} ${inner}`
}

/** Pieces of shell text without a plan. */
export const soup: Make = (random) =>
  several(random, 2, 9, (r) =>
    weighted(r, [
      [4, () => choice(r, pieces('soup words'))],
      [4, () => choice(r, pieces('soup marks'))],
      [1, () => codeText(r)],
      [1, () => expansion(r)],
      [1, () => globWord(r)],
      [1, () => quote(r, fileName(r, 0.3))],
      [0.5, () => misquote(r, laced(r))],
    ])(),
  ).join(chance(random, 0.6) ? ' ' : '')
