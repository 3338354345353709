// The time that the decision on one command may take, for any command text.
import { expect, test } from 'vitest'
import { analyzeLine } from '../../../../internal/policy/shell/line-analysis.ts'
import { parseShell } from '../../../../internal/policy/shell/syntax/grammar.ts'
import { choice, rng } from '../../../support/rng.ts'
import { full, rounds, sampleRows } from '../../../support/sample.ts'
import { bash, deny, folder, judge, policyOf, remove, rootsOf } from '../policies.ts'

const longest = 16 * 1024

/** Pieces that fill a command: all operators, quotes, brackets and keywords, and all wrappers. */
const pieces = [
  ...[
    'a[1]=',
    'echo fi;fi;fi;',
    ': ` \n',
    'git -c x=y do EOF\n',
    'ls ? {} ',
    'case x in /[/p;EOF\n',
    "sed -n '' ' ' ",
    '@( ;; "x" [a-z]',
  ],
  ...[
    '${ ',
    'cd a && $(  && ',
    '(',
    '$(',
    '"$(',
    '`',
    '{ ',
    'if ',
    '<(',
    '${a:-',
    '$((',
    '[[ ',
    '[ ',
    "'",
    '"',
    '\\',
    '<<A ',
    '<<A\nA\n',
  ],
  ...[
    'a\n',
    'a;',
    'a|',
    'a&',
    'a&&',
    '>a ',
    '2>&1 ',
    '* ',
    '[a]',
    '{a,b}',
    '$a ',
    'a=b ',
    'a=b;',
    '!',
    '#\n',
    'for i in ',
    'while ',
  ],
  ...[
    'a() { ',
    'a ',
    'x',
    '-',
    '~ ',
    'a=(b ',
    '))',
    ')',
    '}',
    ']',
    'esac ',
    'done ',
    'then ',
    '<<<a ',
    '&>a ',
    '<&',
    'eval ',
    'sudo ',
  ],
  ...[
    'bash -c ',
    'env -S ',
    'xargs ',
    "a 'b' ",
    'a "b" ',
    "$'a' ",
    'a\\\n',
    '$(a) ',
    '`a` ',
    'a $(b) | ',
    'é',
    '-a=b:c,d@e ',
    '[ a = b ] && ',
  ],
  ...[
    '[ a -o ',
    'let a=1 ',
    '((1)) ',
    'time ',
    'coproc ',
    'cat <<E\na\nE\n',
    'a <<E | b\nx\nE\n',
    'a > b < c 2> d ',
    '{x}>a ',
    "eval 'eval a'; ",
  ],
  ...[
    'a| ',
    'a|é',
    '|&sudo ',
    '! a| ',
    'a|\n',
    'sed -n s|-a |&',
    'case $x in a) ',
    'case x in (',
    'case x in ',
  ],
]

const fill = (text: string) => text.repeat(Math.ceil(longest / text.length)).slice(0, longest)

const numbered = (text: (i: number) => string, count: number) =>
  `x ${Array.from({ length: count }, (_, i) => text(i)).join(' ')}`

/** Words that are all different from each other. */
const unlike = [
  numbered((i) => `-o${i}`, 1_500),
  numbered((i) => `-a${i}=b${i}:c,d@e`, 750),
  numbered((i) => `a${i}*`, 1_000),
  numbered((i) => `a${i}*/b*`, 900),
  numbered((i) => `d${i}/e/f/g`, 900),
  numbered((i) => `${'a/'.repeat(2_000)}${i}`, 4),
  `(${'('.repeat(7_999)}ls${')'.repeat(8_000)}`,
]

// On a busy machine even processor time grows. The exact limit is for an idle machine.
const limit = full ? 50 : 100

/**
 * Returns the processor time of this process in milliseconds, so that a busy machine does not count. It takes
 * the best of fifteen if the first is unclear, because garbage collection may add time.
 */
async function costOf(work: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let i = 0; i < 15 && best > limit / 2; i++) {
    const start = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(start)
    best = Math.min(best, (user + system) / 1_000)
  }
  return best
}

test('decides on, or rejects, every form of a command of 16 KiB in time', async () => {
  await parseShell('a "b"')
  const workspace = folder('keep')
  const roots = rootsOf(workspace, { protected: [`${workspace}/keep`] })
  const policy = policyOf(workspace, { mode: 'unrestricted', rules: [deny('evil')], roots })
  const next = rng(5)
  const mixed = Array.from({ length: rounds(12, 60) }, () =>
    fill([choice(next, pieces), choice(next, pieces), choice(next, pieces)].join('')),
  )
  // a pipeline that stops just before the time limit costs most
  const pipes = ['a| ', 'a|é', '! a| ', 'a|\n'].flatMap((text) =>
    [400, 600, 800, 1_000].map((n) => text.repeat(n)),
  )
  // the longest command that is parsed a second time
  const twice = sampleRows([...pieces, 'a| a|é'], 4).map((text) => fill(text).slice(0, 1_280))
  const lines = [...sampleRows(pieces, 2).map(fill), ...mixed, ...unlike, ...pipes, ...twice]
  // the first commands include the compilation of the parser
  for (const line of [...lines.slice(0, 20), ...unlike]) await judge(bash(line), policy)
  const costs: [number, string][] = []
  const slow: string[] = []
  for (const line of lines) {
    const cost = await costOf(() => judge(bash(line), policy))
    if (cost > limit) slow.push(line)
    else costs.push([cost, line.slice(0, 40)])
  }
  // another time of the machine: its load may have slowed a single line
  for (const line of slow) costs.push([await costOf(() => judge(bash(line), policy)), line.slice(0, 40)])
  remove(workspace)
  costs.sort(([a], [b]) => b - a)
  const median = costs[costs.length >> 1]?.[0].toFixed(0)
  console.log(`shapes: ${costs.length}, median ${median} ms, worst ${JSON.stringify(costs.slice(0, 5))}`)
  expect(costs.filter(([cost]) => cost > limit)).toEqual([])
}, 120_000)

test('does not read a longer command at all', async () => {
  const cost = await costOf(() => analyzeLine('('.repeat(10 * longest)))
  expect(cost).toBeLessThan(20)
  expect((await analyzeLine('a'.repeat(longest + 1))).opaque).toContain('characters')
})

test('reads ordinary commands in full', async () => {
  const script = Array.from(
    { length: 150 },
    (_, i) => `echo "step ${i}: $HOME" && cp -r a${i} b${i} > log 2>&1`,
  ).join('\n')
  expect(script.length).toBeGreaterThan(6_000)
  expect((await analyzeLine(script.split('\n').slice(0, 60).join('\n'))).opaque).toBeUndefined()
  const document = `cat > x.ts <<'EOF'\n${"const a = ['x', `y$z`] // (it's) & more | < >\n".repeat(300)}EOF\n`
  expect((await analyzeLine(document)).opaque).toBeUndefined()
})
