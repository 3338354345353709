// The parser against bash itself: what bash really runs must be among the parts.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { analyzeLine } from '../../../../internal/policy/shell/line-analysis.ts'
import type { ShellAnalysis } from '../../../../internal/policy/shell/shell-part.ts'
import { choice, rng } from '../../../support/rng.ts'
import { rounds } from '../../../support/sample.ts'
import { allow, bash, deny, folder, judge, policyOf, remove } from '../policies.ts'
import { type Recorder, record } from './recorder.ts'

const names = ['good', 'bad', 'c1', 'c2', 'c3', 'ls', 'rm']
let recorder: Recorder
let ws = ''
beforeAll(() => {
  recorder = record(names)
  ws = folder()
})
afterAll(() => {
  recorder.end()
  remove(ws)
})

/** Whether some part allows this argument vector to run. */
function covered(argv: readonly string[], analysis: ShellAnalysis): boolean {
  return analysis.parts.some((part) => {
    const known = part.words.slice(0, part.known)
    return known.every((word, i) => (i === 0 ? word.split('/').at(-1) : word) === argv[i]) && known.length > 0
  })
}

const lines = [
  'c1 a b; c2 "c d" \'e f\' g\\ h',
  'c1 && c2 || c3',
  'c1 | c2 | c3',
  'c1 & c2',
  '(c1; c2) | { c3; }',
  '! c1',
  'if c1; then c2; else c3; fi',
  'for i in a b; do c1 $i; c2; done',
  'case x in y) c1;; x) c2 a;; esac',
  'c1 $(c2 a) `c3 b`',
  'c1 "$(c2 "$(c3 x)")"',
  'c1 <(c2) >(c3)',
  'c1 ${NOPE:-$(c2)}',
  "c1 $'a\\tb' $'\\x41' $'\\102'",
  'c1 <<EOF\n$(c2)\nEOF\nc3',
  "c1 <<'EOF'\n$(c2)\nEOF\nc3",
  'c1 <<-EOF\n\tx\n\tEOF\nc2',
  'c1 > out a b',
  '> out c1 a',
  '2> err c1 a 2>&1 b',
  'A=1 c1',
  'A=$(c1) c2',
  'A=$(c1); c2',
  'export A=$(c1)',
  '[ -n "$(c1)" ] && c2',
  '[[ -n $(c1) ]] && c2',
  'echo $(( $(c1; echo 1) + 1 ))',
  'f() { c1 a; }; f',
  'f() ( c1; c2 ); f',
  'env A=1 c1 a',
  'env -i PATH="$PATH" c1 a',
  'env -S "c1 a"',
  'nice -n 5 c1 a',
  'timeout 5 c1 a',
  'nohup c1 a',
  'echo a b | xargs c1',
  'echo a | xargs -I{} c1 x{}',
  'echo a | xargs -n1 -I % sh -c "c1 %"',
  'find . -maxdepth 0 -exec c1 {} \\;',
  'find . -maxdepth 0 -exec c1 {} +',
  "find . -maxdepth 0 -exec sh -c 'c1; c2' \\;",
  "bash -c 'c1; c2 a'",
  'bash -c "c1 $(c2)"',
  'bash -c \'eval "c1 a"\'',
  "sh -ec 'c1' name",
  'bash <<EOF\nc1\nEOF',
  "cat <<'EOF' | sh\nc1 a\nEOF",
  'bash <<< "c1 a"',
  'echo c1 a | bash',
  'printf "c1 a" | sh -s',
  'eval c1 a',
  'eval "c1;" "c2"',
  'command c1 a',
  'exec c1 a',
  'time c1 a',
  'time -p c1',
  "trap 'c1 a' EXIT; c2",
  'c1 a#b "#c" # c2',
  'c1 \\\n a',
  'c\\\n1 a',
  'c1\n\n\nc2',
  '{ c1; } > out',
  'while c1 && ! [ -e out ]; do c2 > out; done',
  'until [ -e out ]; do c1 > out; done',
  'c1 {a,b} ~ * ?',
  'c1 a=b =c',
  '\\c1 a',
  '"c1" a',
  "c'1' a",
  'X=c1; $X a',
  'X="c1 a"; eval $X',
  'c1 "a\\"b" "c\\$d" \'e"f\'',
  'c1 "a$" b$ "$ x"',
  'c1 |& c2',
  'c1 &> out; c2 >| out',
  "c1 $'a\\\\' ; c2 ; c3 'x'",
  'coproc c1 a; wait',
  'c1() { c2; }; c1',
  'c1 2>/dev/null>out',
  'c1;c2&&c3',
]

test.each(lines)('%j', async (line) => {
  const { ran } = recorder.run(line)
  const analysis = await analyzeLine(line)
  const sure = analysis.opaque === undefined && analysis.parts.every((part) => !part.unseen)
  for (const argv of ran) {
    const seen = covered(argv, analysis)
    if (sure) expect(seen, `${JSON.stringify(argv)} in ${JSON.stringify(analysis, null, 1)}`).toBe(true)
  }
  // the line did run something, or the comparison says nothing
  expect(ran.length, 'bash ran').toBeGreaterThan(0)
})

const pieces = [
  ...[
    'good',
    'good',
    'good',
    'bad',
    'bad',
    'a',
    'b',
    '-x',
    ' ',
    ' ',
    ' ',
    ' ',
    '\n',
    ';',
    ';',
    '&&',
    '||',
    '|',
    '&',
  ],
  ...[
    "'",
    '"',
    '\\',
    '\\\\',
    '$(',
    ')',
    '(',
    ')',
    '`',
    '#',
    '{ ',
    '; }',
    '}',
    '{',
    ',',
    '$A',
    '${A}',
    '${A:-',
    'A=1',
  ],
  ...[
    "$'",
    '\\\n',
    '\t',
    '\r',
    '\u00a0',
    '2>',
    '>',
    '<',
    'out',
    '>>',
    '>&',
    '2>&1',
    '&>',
    '<<<',
    '<<EOF\n',
    '\nEOF\n',
  ],
  ...[
    "<<'EOF'\n",
    '<<-EOF\n',
    '<(',
    '>(',
    '!',
    'if ',
    ' then ',
    ' fi',
    'for i in ',
    ' do ',
    ' done',
    'case a in ',
    'a) ',
  ],
  ...[
    ';;',
    ' esac',
    '[ ',
    ' ]',
    '[[ ',
    ' ]]',
    '((',
    '))',
    '$((',
    '=',
    '==',
    '~',
    '*',
    '?',
    '[',
    ']',
    '@',
    '%',
    '^',
    '+',
  ],
  ...[
    'eval ',
    'command ',
    'env ',
    'time ',
    'exec ',
    'xargs ',
    "bash -c '",
    'bash -c "',
    'sh -c ',
    'nice ',
    'timeout 1 ',
  ],
  ...[
    'echo ',
    'cat ',
    'true ',
    'coproc ',
    'builtin ',
    '. ',
    'test ',
    'export ',
    'declare ',
    'local ',
    'unset ',
    ';&',
    ';;&',
    '|&',
    '<>',
    '<&-',
  ],
]

/** Lines that bash accepts more often than random pieces: commands around commands. */
function nest(next: () => number, depth: number): string {
  const inner = () =>
    depth <= 0 || next() < 0.2
      ? choice(next, ['good a', 'bad', 'good', 'bad x', 'good "b c"'])
      : nest(next, depth - 1)
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
  const double = (text: string) => `"${text.replace(/[\\"$`]/g, '\\$&')}"`
  return choice(next, [
    () => `${inner()}; ${inner()}`,
    () => `${inner()} && ${inner()}`,
    () => `${inner()} | ${inner()}`,
    () => `(${inner()})`,
    () => `{ ${inner()}; }`,
    () => `if ${inner()}; then ${inner()}; fi`,
    () => `for i in a $(${inner()}); do ${inner()}; done`,
    () => `case a in a) ${inner()};; esac`,
    () => `good $(${inner()})`,
    () => `good "x $(${inner()}) y"`,
    () => `good \`echo\` <(${inner()})`,
    () => `bash -c ${quote(inner())}`,
    () => `sh -c ${double(inner())}`,
    () => `eval ${quote(inner())}`,
    () => `echo ${quote(inner())} | bash`,
    () => `bash <<'END${depth}'\n${inner()}\nEND${depth}\n`,
    () => `bash <<< ${double(inner())}`,
    () => `env A=1 bash -c ${quote(inner())}`,
    () => `nice -n 1 timeout 5 sh -c ${quote(inner())}`,
    () => `echo x | xargs -n 1 sh -c ${quote(inner())}`,
    () => `find . -maxdepth 0 -exec sh -c ${quote(inner())} \\;`,
    () => `A=$(${inner()}) good`,
    () => `[ -n "$(${inner()})" ] || ${inner()}`,
    () => `! ${inner()}`,
    () => `time ${inner()}`,
    () => `good \${A:-$(${inner()})}`,
    () => `good <<EOF${depth}\n$(${inner()})\nEOF${depth}\n`,
    () => `\n# note\n${inner()}\n`,
    () => `trap ${quote(inner())} EXIT`,
  ])()
}

const row = (next: () => number, maxMs: number) =>
  Array.from({ length: 2 + Math.floor(next() * maxMs) }, () => choice(next, pieces)).join('')

/** Returns a valid command with a part added or removed. */
function mutant(next: () => number): string {
  let line = nest(next, 2)
  for (let times = 1 + Math.floor(next() * 3); times > 0; times--) {
    const at = Math.floor(next() * (line.length + 1))
    const cut = next() < 0.4 ? Math.floor(next() * 4) : 0
    line = line.slice(0, at) + (next() < 0.7 ? choice(next, pieces) : '') + line.slice(at + cut)
  }
  return line
}

const seed = Number(process.env.SEED ?? 20260602)
const count = Math.max(rounds(120, 300), Number(process.env.ANODE_FAULTS ?? 0))

/** A line could define a function that calls itself without end. */
const recursive = /\(\s*\)|function/

test(
  `${count} lines each of three kinds: what is allowed runs nothing else (seed ${seed})`,
  async () => {
    const next = rng(seed)
    const strict = policyOf(ws, { mode: 'auto', rules: ['good', 'echo', 'cat', 'true'].map(allow) })
    const loose = policyOf(ws, { mode: 'unrestricted', rules: [deny('bad')] })
    const tally = { ran: 0, bad: 0, allowed: 0, denied: 0 }
    for (let i = 0; i < count * 3; i++) {
      const line = [() => nest(next, 3), () => mutant(next), () => row(next, 14)][i % 3]?.() ?? ''
      if (recursive.test(line)) continue
      const [first, second] = [await judge(bash(line), strict), await judge(bash(line), loose)]
      if (second.action === 'deny') tally.denied++
      // what neither policy allows cannot prove either of them wrong; some of it runs to count what was at stake
      if (first.action !== 'allow' && second.action !== 'allow' && i % 10 > 0) continue
      const { ran, files } = recorder.run(line)
      const programs = new Set(ran.map((argv) => argv[0]))
      const what = `${JSON.stringify(line)} ran ${JSON.stringify(ran)}`
      if (ran.length > 0) tally.ran++
      if (first.action === 'allow') {
        tally.allowed++
        expect(
          [...programs].filter((name) => name !== 'good'),
          what,
        ).toEqual([])
        expect(files, what).toEqual([])
      }
      if (programs.has('bad')) {
        tally.bad++
        expect(second.action, what).not.toBe('allow')
      }
    }
    console.log(`gate against bash, survived/tried: ${count * 3}/${count * 3} ${JSON.stringify(tally)}`)
    expect(Math.min(tally.allowed, tally.bad, tally.denied)).toBeGreaterThan(count / 100)
  },
  30_000 + count * 500,
)
