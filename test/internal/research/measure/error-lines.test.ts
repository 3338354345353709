// What a failed command printed, as programs of many languages print it, and the lines that say why.
import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { summarizeErrors } from '../../../../internal/research/measure/error-lines.ts'

const rustFrames = [
  'stack backtrace:',
  '   0: __rustc::rust_begin_unwind',
  '             at /rustc/59807616e1fa/library/std/src/panicking.rs:689:5',
  '   1: <alloc::vec::Vec<T,A> as core::ops::index::Index<I>>::index',
  'note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.',
].join('\n')

/** Texts that the programs have printed, shortened only in their paths. */
const outputs: Record<string, [text: string, summary: string]> = {
  node: [
    'file:///w/a.mjs:1\nfunction f() { nope() }\n               ^\n\nReferenceError: nope is not defined\n    at f (file:///w/a.mjs:1:16)\n    at ModuleJob.run (node:internal/modules/esm/module_job:325:25)\n\nNode.js v20.20.2\n',
    'ReferenceError: nope is not defined',
  ],
  'npm run': [
    '\n> bench\n> node a.mjs\n\nfile:///w/a.mjs:1\nx()\n^\n\nTypeError: x is not a function\n    at file:///w/a.mjs:1:1\n\nNode.js v20.20.2\nnpm error Lifecycle script `bench` failed with error:\nnpm error code 1\nnpm error A complete log of this run can be found in: /h/.npm/_logs/1.log\n',
    'TypeError: x is not a function',
  ],
  python: [
    'Traceback (most recent call last):\n  File "/w/b.py", line 3, in <module>\n    f()\n  File "/w/b.py", line 2, in f\n    return nope + 1\n           ^^^^\nNameError: name \'nope\' is not defined\n',
    "NameError: name 'nope' is not defined",
  ],
  gcc: [
    "c.c: In function 'main':\nc.c:2:52: error: 'b' undeclared (first use in this function)\n    2 | int main(void) { return b; }\n      |                         ^\nc.c:2:52: note: each undeclared identifier is reported only once for each function it appears in\n",
    "c.c:2:52: error: 'b' undeclared (first use in this function)",
  ],
  assert: [
    "d: d.c:2: main: Assertion `a == 1' failed.\nAborted\n",
    "d: d.c:2: main: Assertion `a == 1' failed. | Aborted",
  ],
  'rust panic': [
    `\nthread 'main' (13692) panicked at e.rs:1:55:\nindex out of bounds: the len is 0 but the index is 1\n${rustFrames}\n`,
    "thread 'main' (13692) panicked at e.rs:1:55: | index out of bounds: the len is 0 but the index is 1",
  ],
  rustc: [
    'error[E0308]: mismatched types\n --> e2.rs:1:26\n  |\n1 | fn main() { let v: i32 = "x"; nope(); }\n  |                    ---   ^^^ expected `i32`, found `&str`\n\nerror[E0425]: cannot find function `nope` in this scope\n --> e2.rs:1:31\n  |\n1 | fn main() { nope(); }\n  |             ^^^^ not found in this scope\n\nerror: aborting due to 2 previous errors\n\nSome errors have detailed explanations: E0308, E0425.\nFor more information about an error, try `rustc --explain E0308`.\n',
    'error[E0308]: mismatched types | error[E0425]: cannot find function `nope` in this scope',
  ],
  go: [
    'panic: runtime error: index out of range [1] with length 0\n\ngoroutine 1 [running]:\nmain.main()\n\t/w/g/m.go:3 +0x10\nexit status 2\n',
    'panic: runtime error: index out of range [1] with length 0',
  ],
  java: [
    'Exception in thread "main" java.lang.IllegalStateException: bad state 3\n\tat J.f(J.java:1)\n\tat J.main(J.java:1)\n',
    'Exception in thread "main" java.lang.IllegalStateException: bad state 3',
  ],
  perl: ['no table for key 7 at p.pl line 1.\n', 'no table for key 7 at p.pl line 1.'],
  make: [
    'cc: unknown option -Qx\nmake: *** [Makefile:2: all] Error 3\n',
    'cc: unknown option -Qx | make: *** [Makefile:2: all] Error 3',
  ],
  'only a follow-up': ['make: *** [Makefile:2: all] Error 3\n', 'make: *** [Makefile:2: all] Error 3'],
  'no word of an error': ['a\nb\nc\nd\n', 'b | c | d'],
  'many errors': [
    Array.from({ length: 9 }, (_, i) => `x.c:${i}: error: e${i}`).join('\n'),
    'x.c:0: error: e0 | x.c:7: error: e7 | x.c:8: error: e8',
  ],
}

describe.each(Object.entries(outputs))('%s', (_, [text, summary]) => {
  it('is summarized by what went wrong', () => expect(summarizeErrors(text)).toBe(summary))
  it('is summarized after a long log as well', () => {
    const log = Array.from({ length: 500 }, (_, i) => `step ${i} of 500`).join('\n')
    expect(summarizeErrors(`${log}\n${text}`)).toContain(summary.split(' | ').at(-1))
  })
})

it.each([
  ['process.exitCode = undefinedName', 'ReferenceError: undefinedName is not defined'],
  ['JSON.parse("{")', 'SyntaxError: Expected property name'],
  ['require("./nowhere")', "Error: Cannot find module './nowhere'"],
  ['require("assert").equal(1, 2)', 'AssertionError [ERR_ASSERTION]: 1 == 2'],
  ['Promise.reject(new RangeError("late"))', 'RangeError: late'],
])('finds the error of a real node that runs %s', (code, error) => {
  const { stderr } = spawnSync(process.execPath, ['-e', code], { encoding: 'utf8' })
  expect(summarizeErrors(stderr)).toContain(error)
})

it('is short and whole characters, and undefined for an empty text', () => {
  const summary = summarizeErrors(`Error: begins ${'😀'.repeat(900)} ends`) ?? ''
  expect([...summary].length).toBeLessThanOrEqual(400)
  expect(summary.isWellFormed()).toBe(true)
  expect(summary).toMatch(/^Error: begins .* ends$/)
  for (const text of ['', ' \n\n']) expect(summarizeErrors(text)).toBeUndefined()
})
