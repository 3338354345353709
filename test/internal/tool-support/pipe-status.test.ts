// Exit codes of pipes, as a real bash reports them through the tool.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRunner, type ProcessRunner } from '../../../internal/process/run-command.ts'
import type { Ctx } from '../../../internal/tool/ctx.ts'
import { readPipes, watchPipe } from '../../../internal/tool-support/pipe-status.ts'
import { bash } from '../../../internal/tools/shell/bash.ts'
import { call, ctxWith } from '../../support/ctx.ts'

let dir: string
let runner: ProcessRunner
let ctx: Ctx
beforeAll(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'anode-pipe-')))
  runner = createRunner({ dataDir: join(dir, 'data'), env: process.env })
  ctx = ctxWith({ processes: { run: runner.run } }, { cwd: dir, env: { PATH: process.env.PATH } })
})
afterAll(async () => {
  await runner.close()
  rmSync(dir, { recursive: true, force: true })
})

const commands: [command: string, exit: number, pipe: number[] | undefined][] = [
  ['false | true', 0, [1, 0]],
  ['true | true', 0, undefined],
  ['(exit 2) | cat 2>&1 | tail -1', 0, [2, 0, 0]],
  ['cd / && (exit 3) | cat', 0, [3, 0]],
  ['set -o pipefail; (exit 4) | cat', 4, [4, 0]],
  ['false | true; exit 5', 5, [1, 0]],
  ['false || true', 0, undefined],
  ['echo "a | b"', 0, undefined],
  ['# a comment with |\n(exit 6) | true', 0, [6, 0]],
  // a writer whose reader is gone may end with 141
  ['cat <<E | (cat; exit 7)\na\nE', 7, [0, 7]],
  ['export TMPDIR=/nowhere; false | true', 0, [1, 0]],
  ['trap : EXIT; false | true', 0, [1, 0]],
  ['trap "echo own" EXIT; (exit 3) | cat; exit 4', 4, [3, 0]],
  ['false | true; true', 0, [1, 0]],
  ['false | true && (exit 9)', 9, [1, 0]],
  ['true | true; (exit 3) | cat; echo end', 0, [3, 0]],
  ['if true; then (exit 3) | cat; fi; echo end', 0, [3, 0]],
  ['for i in 1 2; do (exit 3) | cat; done', 0, [3, 0]],
  ['IFS=; (exit 3) | cat; true', 0, [3, 0]],
  ['set -u; (exit 3) | cat; true', 0, [3, 0]],
  ['set -eu; true | false; echo no', 1, [0, 1]],
  ["false |& cat # it's", 0, [1, 0]],
  // functions in each of their forms, at each depth, and in what they return
  ['f() { false | true; }; f', 0, [1, 0]],
  ['f() { (exit 3) | cat; echo in; }; f; echo out', 0, [3, 0]],
  ['f () { false | true\n}\nf && echo on', 0, [1, 0]],
  ['function f { false | true; }; f', 0, [1, 0]],
  ['function f() { false | true; }; f', 0, [1, 0]],
  ['my-f() { false | true; }; my-f', 0, [1, 0]],
  ['f() ( (exit 5) | cat ); f', 0, [5, 0]],
  ['f() { false | true; }; g() { f; }; g', 0, [1, 0]],
  ['f() { (exit 3) | cat; return 4; }; f; echo on', 0, [3, 0]],
  ['f() { (exit 3) | cat; }; x=$(f); echo "$x"', 0, [3, 0]],
  ['f() { (exit 3) | cat; }; if f; then echo on; fi', 0, [3, 0]],
  ['f() { (exit 3) | cat; }; f || exit 7', 0, [3, 0]],
  ['f() { true | true; }; f', 0, undefined],
  ['x=$(false | true); echo on', 0, [1, 0]],
  ['echo "$(cat /nowhere/x 2>/dev/null | head -1)"', 0, [1, 0]],
  ['echo `false | true`', 0, [1, 0]],
  // commands that are traced
  ['set -x; false | true; echo end', 0, [1, 0]],
  ['set -ex; true | (exit 4)', 4, [0, 4]],
  ['set -o xtrace; (exit 3) | cat', 0, [3, 0]],
  ['set -euxo pipefail; (exit 3) | cat', 3, [3, 0]],
  ['f() { set -x; false | true; }; f; echo end', 0, [1, 0]],
  ['set -x; true | true', 0, undefined],
  // a bash that the command starts
  ['bash -c "false | true"', 0, [1, 0]],
  ["bash -c '(exit 3) | cat; echo end'", 0, [3, 0]],
  ['bash -ec "true | true; true | (exit 4); echo never"', 4, [0, 4]],
  ['bash -euo pipefail -c "(exit 5) | cat"', 5, [5, 0]],
  ['bash -lc "false | true"', 0, [1, 0]],
  ['/bin/bash -c "(exit 3) | cat"', 0, [3, 0]],
  ['timeout 20 bash -c "(exit 3) | cat"', 0, [3, 0]],
  ['cd / && env A=1 bash -c "(exit 3) | cat" && echo end', 0, [3, 0]],
  ["echo x | xargs -I{} bash -c 'grep -q {} /dev/null | cat'", 0, [1, 0]],
  [`bash -c "bash -c '(exit 3) | cat'"`, 0, [3, 0]],
  ['x=$(bash -c "(exit 3) | cat; echo in"); echo "$x"', 0, [3, 0]],
  ['f() { bash -c "(exit 3) | cat"; }; f', 0, [3, 0]],
  [`bash -c 'f() { (exit 3) | cat; }; f; echo end'`, 0, [3, 0]],
  ['bash -c "set -x; (exit 3) | cat"', 0, [3, 0]],
  [`bash -c 'trap "echo own" EXIT; (exit 3) | cat'`, 0, [3, 0]],
  ["bash <<'E'\n(exit 3) | cat\necho end\nE", 0, [3, 0]],
  ["echo '(exit 3) | cat' | bash", 0, [3, 0]],
  ['export TMPDIR=/nowhere; bash -c "(exit 3) | cat"', 0, [3, 0]],
  ['cd /tmp; bash -c "true | true"', 0, undefined],
  ['BASH_ENV=/dev/null bash -c "(exit 3) | cat"', 0, undefined],
]

describe.each(commands)('%s', (command, exit, pipe) => {
  it('shows and records the exit code of each command', async () => {
    const result = await call(bash, { command }, ctx)
    expect(result.data).toMatchObject({ exit })
    expect((result.data as { pipe?: number[] }).pipe).toEqual(pipe)
    const parts = pipe ? `, in the pipe ${pipe.join(' ')}` : ''
    expect(result.text).toContain(exit === 0 ? `[exit 0${parts}]` : `exit ${exit}${parts}`)
    expect(result.text).not.toContain('PIPESTATUS')
  })
})

const several: [command: string, exit: number, pipes: number[][]][] = [
  [
    '(exit 2) | cat; (exit 3) | true | true',
    0,
    [
      [2, 0],
      [3, 0, 0],
    ],
  ],
  [
    '(exit 2) | cat; echo between; (exit 2) | cat; exit 5',
    5,
    [
      [2, 0],
      [2, 0],
    ],
  ],
  [
    'for i in 1 2 3; do (exit $i) | cat; done; true',
    0,
    [
      [1, 0],
      [2, 0],
      [3, 0],
    ],
  ],
  [
    'trap "true | (exit 6); :" EXIT; (exit 2) | cat',
    0,
    [
      [2, 0],
      [0, 6],
    ],
  ],
]

describe.each(several)('%s', (command, exit, pipes) => {
  it('shows and records each pipe', async () => {
    const result = await call(bash, { command }, ctx)
    expect(result.data).toMatchObject({ exit, pipes, pipe: pipes.at(-1) })
    expect(result.text).toContain(`in the pipes ${pipes.map((codes) => codes.join(' ')).join(' and ')}`)
  })
})

const unchanged = [
  'echo a b c | cat; echo "$? $-"',
  'false | true; echo $? ${PIPESTATUS[*]}',
  '(exit 3) | (exit 4); echo "${PIPESTATUS[@]}"',
  'x=$(echo a | tr a b); echo $x; [[ abc =~ b(.) ]]; echo a | cat; echo ${BASH_REMATCH[1]}',
  'set -e; false | true; echo on; true | false; echo never',
  'f() { return 3; }; f | cat; f; echo $?',
  'trap "echo end" EXIT; echo a | cat; exit 3',
  'trap "echo err" ERR; true | false; true',
  'echo a | while read -r x; do echo "got $x"; done; echo $LINENO',
  'mkdir -p sub && echo a | cat; cd sub && echo ${_#*/}',
  'echo one two | cat; : last; echo $_',
  'printf "%s\\n" b a | sort | head -1; exit 2',
  'set -x; echo a | cat; echo b',
  'set -x; f() { echo a | cat; }; f; set +x; echo b',
  'set -x; x=$(echo a | cat); echo "$x"; trap "echo end" EXIT',
  'f() { local x=1; echo $x | cat; return 3; }; f; echo $? $FUNCNAME',
  'f() { trap "echo returned" RETURN; echo a | cat; }; f; echo b',
  `bash -c 'echo a b | cat; echo "$? $- $0 $#"' name one`,
  `bash -c 'f() { return 3; }; f | cat; f; echo "$? \${FUNCNAME[*]}"'`,
  `bash -euc 'true | false; echo on'; bash -euc 'echo "$nothing" | cat'`,
  `bash -c 'set -x; echo a | cat; echo b'`,
  `bash -c 'trap "echo end" EXIT; echo a | cat; exit 3'`,
  "bash <<'E'\necho a | cat; read -r x\nfrom the rest\necho $x\nE",
  `echo a | bash -c 'read -r x; echo "got $x" | cat; exit 4'`,
]

it.each(unchanged)('the watched command behaves like the original command: %s', async (command) => {
  const watched = watchPipe(command)
  const env = { PATH: process.env.PATH, TMPDIR: dir }
  const plain = await runner.run({ file: 'bash', args: ['-c', command], cwd: dir, env: env as never })
  const other = await runner.run({
    ...{ file: 'bash', args: ['-c', watched?.command ?? ''], cwd: dir, env: env as never },
  })
  // the commands of a pipe trace in any order
  const sorted = (text: string) => text.split('\n').sort()
  expect([other.exit, other.stdout.text, sorted(other.stderr.text)]).toEqual([
    ...[plain.exit, plain.stdout.text, sorted(plain.stderr.text)],
  ])
})

it('does not watch commands without a pipe, and accepts only valid lists of exit codes', () => {
  expect(watchPipe('npm test || echo no')).toBeUndefined()
  expect(watchPipe('exec 5>x; BASH_XTRACEFD=5; set -x; false | true')).toBeUndefined()
  for (const report of [undefined, '', '9.1 0', '9.1 1', '9.1 a b', '9.1 1 999', '9.1 1 -1', '9.1 0 0'])
    expect(readPipes(report)).toEqual([])
  expect(readPipes('9.1 141 0 \n9.2 0 0 \n9.3 1 0 2 \n')).toEqual([
    [141, 0],
    [1, 0, 2],
  ])
})

it('shows a pipe once that the shell and its subshells report, in any order', () => {
  const orders = [
    ['9.1 2 0', '9.1 2 0', '12.2 3', '9.2 3 0 0'],
    ['9.1 2 0', '12.2 3', '9.1 2 0', '9.2 3 0 0'],
    ['9.1 2 0', '12.2 3', '13.2 0', '9.1 2 0', '9.1 2 0', '9.2 3 0 0'],
  ]
  for (const lines of orders) expect(readPipes(lines.join(' \n'))).toEqual(several[0]?.[2])
  // the same exit codes of another pipe
  expect(readPipes('9.1 2 0 \n9.2 0 \n9.3 2 0 \n')).toEqual(several[1]?.[2])
})
