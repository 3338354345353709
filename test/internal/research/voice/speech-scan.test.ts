// Added lines that can speak for the benchmark are found in every language, and usual changes are not.
import { expect, it } from 'vitest'
import { findSpeakingLine } from '../../../../internal/research/voice/speech-scan.ts'

const speaking = {
  js: [
    "console.log('METRIC a=1')",
    'console.log = () => {}',
    'const { log } = console',
    "console['log'] = f",
    'const s = console._stdout',
    'globalThis.console = fake',
    'process.stdout.write = f',
    "process['stdout'].write('x')",
    'process.exit(0)',
    "process.on('exit', f)",
    "process.once('beforeExit', f)",
    'fs.writeSync(1, text)',
    "require('child_process')",
    "import { Worker } from 'node:worker_threads'",
    'process.env.ANODE_METRIC_NONCE',
    'String.prototype.replace = f',
    'Object.defineProperty(Number.prototype, "toString", d)',
    'new Function("return 1")()',
    'eval(text)',
    'Date.now = () => 0',
    'performance.now = () => 0',
    "readFileSync('/proc/self/environ')",
    'process.kill(process.pid)',
  ],
  python: [
    'sys.stdout = io.StringIO()',
    'sys.stdout.write("x")',
    'builtins.print = lambda *a: None',
    'import atexit',
    'os._exit(0)',
    'sys.exit(0)',
    'raise SystemExit',
    'os.write(1, b"x")',
    'os.dup2(3, 1)',
    'import subprocess',
    'os.environ["X"]',
    'time.perf_counter = lambda: 0',
    'setattr(time, "time", f)',
    'exec("x")',
    'import ctypes',
  ],
  c: [
    'exit(0);',
    '_exit(0);',
    'atexit(f);',
    'write(1, text, 9);',
    'getenv("X");',
    'system("x"); popen("x", "r");',
    'abort();',
  ],
  go: ['os.Exit(0)', 'import "os/exec"'],
  rust: ['std::process::exit(0)', 'std::process::Command::new("sh")'],
  shell: ['echo METRIC a=1', 'echo a >&3', 'cat /proc/1/environ', 'exit (0)', 'export LD_PRELOAD=x'],
}

const usual = [
  'const total = items.reduce((a, b) => a + b, 0)',
  'export function sort(list) { return [...list].sort((a, b) => a - b) }',
  "console.error('unreachable')",
  'for (const [key, value] of Object.entries(map)) out.push(key)',
  'const processed = values.map((value) => process(value))',
  'def work(items): return sorted(items)',
  'from collections import deque',
  'int main(void) { for (int i = 0; i < n; i++) total += a[i]; }',
  'memcpy(to, from, size);',
  'func Sum(values []int) int { total := 0; return total }',
  'let mut out = Vec::with_capacity(n);',
  '-O3 -funroll-loops',
  'const metric = measure(width, height)',
  'exited = true',
]

const headOf = 'diff --git a/src/x b/src/x\n--- a/src/x\n+++ b/src/x\n'
const diffOf = (text: string) => `${headOf}@@ -4,0 +5,2 @@\n+\n+${text}\n`

it.each(Object.entries(speaking).flatMap(([kind, rows]) => rows.map((text) => [kind, text])))(
  'finds in %s: %s',
  (_kind, text) => {
    // the diff shows lines that begin with `++ ` and `-- ` as `+++ ` and `--- `, like the headers of files
    for (const lead of ['', '++ ', '++ b/', '-- ', '@@ -1 +1 @@ '])
      expect(findSpeakingLine(diffOf(lead + text))).toMatchObject({ path: 'src/x', line: 6 })
    // a line that is removed or that was there before says nothing of the candidate
    for (const sign of ['-', '--- ', '-++ ', ' ', ' ++ '])
      expect(findSpeakingLine(`${headOf}@@ -4 +4 @@\n${sign}${text}\n+a\n`)).toBeUndefined()
  },
)

const addedExit = '+process.exit(0)\n'
const marker = '\\ No newline at end of file\n'

it.each([
  ['an added line like a header', `@@ -0,0 +1,2 @@\n+++ b/src/y\n${addedExit}`, { path: 'src/x', line: 2 }],
  [
    'a removed line like a header',
    `@@ -1 +1,2 @@\n--- a/src/y\n+++ b/src/y\n${addedExit}`,
    { path: 'src/x', line: 2 },
  ],
  [
    'a last line without a line end',
    `@@ -1 +1,2 @@\n-a\n${marker}+b\n${addedExit}${marker}`,
    { path: 'src/x', line: 2 },
  ],
  ['unchanged lines', `@@ -1,2 +1,3 @@\n a\n b\n${addedExit}`, { path: 'src/x', line: 3 }],
  ['a second hunk', `@@ -1 +0,0 @@\n-a\n@@ -9,0 +9 @@ ++ b/src/y\n${addedExit}`, { path: 'src/x', line: 9 }],
  [
    'a second file',
    `@@ -1 +1 @@\n-a\n+b\n${marker}diff --git a/z b/z\n--- a/z\n+++ b/z\n@@ -0,0 +1 @@\n${addedExit}`,
    { path: 'z', line: 1 },
  ],
  [
    'an empty file before',
    `diff --git a/z b/z\nnew file mode 100644\n${headOf}@@ -0,0 +1 @@\n${addedExit}`,
    { line: 1 },
  ],
])('names file and line after %s', (_name, hunks, place) => {
  expect(findSpeakingLine(headOf + hunks)).toMatchObject(place)
})

it.each(usual)('accepts %s', (text) => {
  expect(findSpeakingLine(diffOf(text))).toBeUndefined()
})
