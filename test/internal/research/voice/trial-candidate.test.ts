// The trial candidate, which detects for each installed language whether the code under test
// can print metrics.
import { spawnSync } from 'node:child_process'
import { expect, it, vi } from 'vitest'
import type { SessionSettings } from '../../../../internal/research/settings.ts'
import { lab, paired } from '../../../support/research.ts'
import { sampleRows } from '../../../support/sample.ts'

vi.setConfig({ testTimeout: 120_000 })

interface Row {
  what: string
  needs: string
  files: Record<string, string>
  over: Partial<SessionSettings>
  /** The part that can print metrics, as the header reports it. */
  voice: string
}

const run = { metric: 'n', skipNullTest: true, scope: ['src'] }
const rows: Row[] = [
  {
    what: 'a module that the benchmark imports',
    needs: 'node',
    files: {
      'src/a.mjs': 'export const n = 5\n',
      'b.mjs': "import { n } from './src/a.mjs'\nconsole.log(`METRIC n=${n}`)\n",
    },
    over: { command: 'node b.mjs' },
    voice: 'candidate',
  },
  {
    what: 'a CommonJS file that the benchmark requires',
    needs: 'node',
    files: {
      'src/a.cjs': "'use strict'\nexports.n = 5\n",
      'b.cjs': "console.log('METRIC n=' + require('./src/a.cjs').n)\n",
    },
    over: { command: 'node b.cjs' },
    voice: 'candidate',
  },
  {
    what: 'a module under strict metrics, by the nonce',
    needs: 'node',
    files: {
      'src/a.mjs': 'export const n = 5\n',
      'b.mjs':
        "import { n } from './src/a.mjs'\nconsole.log(`METRIC@${process.env.ANODE_METRIC_NONCE} n=${n}`)\n",
    },
    over: { command: 'node b.mjs', strictMetrics: true },
    voice: 'candidate',
  },
  {
    what: 'a program whose output the benchmark reads',
    needs: 'node',
    files: {
      'src/a.mjs': 'console.log(5)\n',
      'b.sh': 'n=$(node src/a.mjs) || exit 1\necho "METRIC n=$((n))"\n',
    },
    over: { command: 'bash b.sh' },
    voice: 'benchmark',
  },
  {
    what: 'a program with the output of the benchmark, under strict metrics',
    needs: 'node',
    files: {
      'src/a.mjs': 'console.log(5)\n',
      'b.sh': 'node src/a.mjs\necho "METRIC@$ANODE_METRIC_NONCE n=5"\n',
    },
    over: { command: 'bash b.sh', strictMetrics: true },
    // it prints a second line, which is a crash
    voice: 'benchmark',
  },
  {
    what: 'data alone',
    needs: 'bash',
    files: { 'src/flags.txt': '5\n', 'b.sh': 'echo "METRIC n=$(cat src/flags.txt)"\n' },
    over: { command: 'bash b.sh' },
    voice: 'benchmark',
  },
  {
    what: 'a shell script that the benchmark sources',
    needs: 'bash',
    files: { 'src/a.sh': 'n=5\n', 'b.sh': '. src/a.sh\necho "METRIC n=$n"\n' },
    over: { command: 'bash b.sh' },
    voice: 'candidate',
  },
  {
    what: 'a module of Python',
    needs: 'python3',
    files: {
      'src/a.py': '# coding: utf-8\nfrom __future__ import annotations\nn = 5\n',
      'b.py': 'import sys\nsys.path.insert(0, "src")\nimport a\nprint(f"METRIC n={a.n}")\n',
    },
    over: { command: 'python3 b.py' },
    voice: 'candidate',
  },
  {
    what: 'a file of C in the same program',
    needs: 'gcc',
    files: {
      'src/a.c': 'int n(void) { return 5; }\n',
      'b.c': '#include <stdio.h>\nint n(void);\nint main(void) { printf("METRIC n=%d\\n", n()); }\n',
    },
    over: { command: './b', build: 'gcc -o b b.c src/a.c' },
    voice: 'candidate',
  },
  {
    what: 'a language without a statement',
    needs: 'awk',
    files: { 'src/a.awk': 'BEGIN { print "METRIC n=5" }\n' },
    over: { command: 'awk -f src/a.awk' },
    voice: 'unknown',
  },
]

const isThere = ({ needs }: Row) => spawnSync(needs, ['--version'], { stdio: 'ignore' }).error === undefined

it.each(sampleRows(rows.filter(isThere), 3))('$what: $voice', async ({ files, over, voice }) => {
  const at = lab(files)
  const research = await at.open()
  const { notes } = await research.init({ ...paired, ...run, ...over })
  expect((await research.state()).active?.config.voice?.of).toBe(voice)
  expect(notes.filter((note) => note.includes('print metrics'))).toHaveLength(voice === 'benchmark' ? 0 : 1)
  expect(at.git('status', '--porcelain')).toBe('')
})
