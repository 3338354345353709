// The output of each known benchmark tool becomes metrics in nanoseconds, and decides a real session.
import { spawnSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { metricNameOf, toMetricLines } from '../../../../internal/research/measure/benchmark-formats.ts'
import {
  type BenchmarkFormat,
  benchmarkFormats,
} from '../../../../internal/research/measure/benchmark-readers.ts'
import { lab, paired } from '../../../support/research.ts'
import { choice, rng } from '../../../support/rng.ts'
import { full } from '../../../support/sample.ts'
import { scratchWith } from '../../../support/scratch.ts'
import { root } from '../../../support/sources.ts'

vi.setConfig({ testTimeout: 60_000 })

const outputs: Record<BenchmarkFormat, [output: string, lines: string]> = {
  go: [
    'goos: linux\ngoarch: amd64\npkg: example.org/sum\nBenchmarkSum-2   \t  500000\t      2400 ns/op\t      16 B/op\nBenchmarkMax/big=1-2\t10\t1.5e+06 ns/op\nPASS\n',
    'METRIC BenchmarkSum=2400\nMETRIC BenchmarkMax_big_1=1500000\n',
  ],
  criterion: [
    'sum 20                  time:   [26.029 us 26.251 us 26.505 us]\nFound 11 outliers\na name that is rather long/100\n                        time:   [1.0 ms 1.5 ms 2.0 ms]\n                        change: [-1.0% +0.1% +1.2%] (p = 0.3)\n',
    'METRIC sum_20=26251\nMETRIC a_name_that_is_rather_long_100=1500000\n',
  ],
  'pytest-benchmark': [
    JSON.stringify({
      machine_info: {},
      benchmarks: [{ name: 'test_sum[10]', stats: { min: 1e-6, median: 2e-6 } }],
    }),
    'METRIC test_sum_10=2000\n',
  ],
  vitest: [
    JSON.stringify({
      files: [
        {
          filepath: '/a',
          groups: [{ fullName: 'a > b', benchmarks: [{ name: 'sum', mean: 0.25, hz: 4000 }] }],
        },
      ],
    }),
    'METRIC sum=250000\n',
  ],
  hyperfine: [
    `progress\n${JSON.stringify({ results: [{ command: './bench 5', mean: 0.6, median: 0.5, times: [0.5] }] }, null, 2)}\n`,
    'METRIC ._bench_5=500000000\n',
  ],
  'google-benchmark': [
    JSON.stringify({
      context: {},
      benchmarks: [
        {
          name: 'BM_Sum/8',
          run_name: 'BM_Sum/8',
          run_type: 'iteration',
          real_time: 2,
          cpu_time: 2,
          time_unit: 'us',
        },
        {
          name: 'BM_Sum/8_mean',
          run_name: 'BM_Sum/8',
          run_type: 'aggregate',
          aggregate_name: 'mean',
          real_time: 3,
          time_unit: 'us',
        },
      ],
    }),
    'METRIC BM_Sum_8=2000\n',
  ],
}

test.each(benchmarkFormats)('%s is read, and no other output is taken for it', (format) => {
  const [output, lines] = outputs[format]
  expect(toMetricLines(format, output)).toBe(lines)
  for (const other of [
    '',
    '{',
    'METRIC a=1\n',
    '{"benchmarks": 5}',
    '{"results": [null]}',
    output.slice(0, 20),
  ])
    expect(toMetricLines(format, other)).toBe('')
})

const json = (value: object) => JSON.stringify(value, null, 4)
const googleRun = (name: string, more: object) => ({ name, run_name: name, run_type: 'iteration', ...more })
const aggregate = (name: string, of: string, real_time: number) => ({
  ...googleRun(`${name}_${of}`, { real_time, time_unit: 'ms' }),
  ...{ run_name: name, run_type: 'aggregate', aggregate_name: of },
})
const group = (fullName: string, ...benchmarks: object[]) => ({ fullName, benchmarks })

/** Forms that the tools really print, with other values. */
test.each<[BenchmarkFormat, string, string, string]>([
  [
    'go',
    'repeats count by the median',
    'BenchmarkA-2 \t 9\t 5.5 ns/op\nBenchmarkA-2 \t 9\t 4.5 ns/op\nBenchmarkA-2\t 9\t 14.0 ns/op\t 0 B/op\n',
    'BenchmarkA=5.5',
  ],
  [
    'go',
    'numbers of processors that differ',
    'BenchmarkA \t 9\t 5 ns/op\nBenchmarkA-2 \t 9\t 4 ns/op\n',
    'BenchmarkA=5 BenchmarkA-2=4',
  ],
  [
    'go',
    'one processor',
    'BenchmarkA\nBenchmarkA \t 9\t 5 ns/op\nBenchmarkA/n-4\nBenchmarkA/n-4 \t 9\t 6 ns/op\n',
    'BenchmarkA=5 BenchmarkA_n-4=6',
  ],
  [
    'go',
    'a number at the end of a name',
    'BenchmarkA/n-4-2 \t 9\t 6 ns/op\nBenchmarkA/n-8-2 \t 9\t 7 ns/op\n',
    'BenchmarkA_n-4=6 BenchmarkA_n-8=7',
  ],
  [
    'go',
    'own metrics, logs and failures',
    'BenchmarkM-2 \t 9\t 2.7 ns/op\t37040.32 MB/s\t 3.500 things/op\nBenchmarkO-2 \t 9\t 7.000 widgets\n--- BENCH: BenchmarkM-2\n    a_test.go:9: hello\n--- FAIL: BenchmarkF\n    a_test.go:10: no data\nFAIL\n',
    'BenchmarkM=2.7',
  ],
  [
    'go',
    'events of -json, a line in two',
    '{"Time":"t","Action":"start","Package":"p"}\n{"Time":"t","Action":"output","Test":"BenchmarkA","Output":"BenchmarkA-2  \\t"}\n{"Time":"t","Action":"output","Output":"    9\\t 8.25 ns/op\\n"}\n',
    'BenchmarkA=8.25',
  ],
  [
    'go',
    'names that differ in signs alone',
    'BenchmarkA/x=1-2 9 5 ns/op\nBenchmarkA/x_1-2 9 6 ns/op\nBenchmarkA/x/1-2 9 7 ns/op\n',
    'BenchmarkA_x_1=5 BenchmarkA_x_1_2=6 BenchmarkA_x_1_3=7',
  ],
  [
    'pytest-benchmark',
    'behind the line of progress',
    `.....       [100%]${json({ machine_info: { cpu: {} }, benchmarks: [{ name: 'test_a[small one]', fullname: 'b.py::test_a[small one]', stats: { median: 5e-7, stddev: 0 } }] })}\n------- benchmark: 1 tests -------\nName (time in ns) {odd}\n`,
    'test_a_small_one=500',
  ],
  [
    'pytest-benchmark',
    'one name in two files',
    json({
      benchmarks: [
        { name: 'test_a', fullname: 'b.py::test_a', stats: { median: 1 } },
        { name: 'test_a', fullname: 'c.py::T::test_a', stats: { median: 2 } },
      ],
    }),
    'b.py_test_a_test_a=1000000000 c.py_T_test_a_test_a=2000000000',
  ],
  [
    'pytest-benchmark',
    'numbers that JSON does not have',
    '{"benchmarks": [{"name": "t", "stats": {"median": 0.25, "ops": Infinity, "stddev": NaN, "said": "NaN, inf"}}]}',
    't=250000000',
  ],
  ['pytest-benchmark', 'no benchmark ran', json({ benchmarks: [] }), ''],
  [
    'vitest',
    'one name in two suites',
    json({
      files: [
        {
          filepath: '/a',
          groups: [
            group('a.js', { name: 'plain', median: 0.5 }),
            group('a.js > outer', { name: 'plain', median: 0.25 }, { name: 'other (n=1)', mean: 3 }),
          ],
        },
      ],
    }),
    'a.js_plain=500000 a.js_outer_plain=250000 other_n_1=3000000',
  ],
  [
    'vitest',
    'a failed and a skipped one',
    json({
      files: [
        {
          groups: [
            group(
              'a',
              { name: 'fails', rank: 3, samples: [] },
              { name: 'null', mean: null },
              { name: 'ok', median: 2 },
            ),
          ],
        },
      ],
    }),
    'ok=2000000',
  ],
  [
    'vitest',
    'a report behind a table',
    `  name   hz\n  {plain}  {"a": 1}\n${json({ files: [{ groups: [group('a', { name: 'ok', median: 2 })] }] })}\n`,
    'ok=2000000',
  ],
  [
    'hyperfine',
    'parameters and names',
    json({
      results: [
        { command: 'named 1', median: 0.05, parameters: { n: '1' } },
        { command: 'named 2', median: 0.04, parameters: { n: '2' } },
      ],
    }),
    'named_1=50000000 named_2=40000000',
  ],
  [
    'hyperfine',
    'one name for several parameters',
    json({
      results: [
        { command: 'x', median: 1, parameters: { n: '1' } },
        { command: 'x', median: 2, parameters: { n: '2' } },
      ],
    }),
    'n_1_x=1000000000 n_2_x=2000000000',
  ],
  [
    'hyperfine',
    'quotes and braces in a command',
    json({ results: [{ command: 'awk "{ print }" \\"a\\"', median: 1 }] }),
    'awk_print_a=1000000000',
  ],
  [
    'google-benchmark',
    'an error',
    json({
      benchmarks: [
        googleRun('BM_A', { error_occurred: true, real_time: 0, time_unit: 'ns' }),
        googleRun('BM_B', { skipped: true, real_time: 0 }),
        googleRun('BM_C/8', { real_time: 1.5, time_unit: 's' }),
      ],
    }),
    'BM_C_8=1500000000',
  ],
  [
    'google-benchmark',
    'repetitions and complexity',
    json({
      context: {},
      benchmarks: [
        googleRun('BM_A', { real_time: 9, time_unit: 'ms' }),
        aggregate('BM_A', 'mean', 5),
        aggregate('BM_A', 'median', 4),
        aggregate('BM_A', 'BigO', 0.1),
      ],
    }),
    'BM_A=4000000',
  ],
  [
    'google-benchmark',
    'repetitions without aggregates',
    json({ benchmarks: [3, 9, 5].map((real_time) => googleRun('BM_A', { real_time, time_unit: 'us' })) }),
    'BM_A=5000',
  ],
  [
    'google-benchmark',
    'names with spaces and no unit',
    json({ benchmarks: [googleRun('with blank <int, 3>/8', { real_time: 38.5 })] }),
    'with_blank_int_3_8=38.5',
  ],
  [
    'criterion',
    'colors',
    '\x1b[32mns\x1b[0m      time:   [\x1b[2m500.00 ps\x1b[0m \x1b[1m510.00 ps\x1b[0m 520.00 ps]\n',
    'ns=0.51',
  ],
  [
    'criterion',
    'groups, throughput and seconds',
    'Benchmarking one/fold/10: Warming up for 50.000 ms\none/fold/10             time:   [6.1000 ns 6.2500 ns 6.3000 ns]\n                        thrpt:  [1.6 Gelem/s 1.7 Gelem/s 1.8 Gelem/s]\nseconds                 time:   [1.1 s 1.125 s 1.2 s]\n                        change: [-1% +0% +1%] (p = 0.5 > 0.05)\n',
    'one_fold_10=6.25 seconds=1125000000',
  ],
])('%s: %s', (format, _, output, metrics) => {
  const lines = metrics.split(' ').filter(Boolean)
  expect(toMetricLines(format, output)).toBe(lines.map((line) => `METRIC ${line}\n`).join(''))
})

test('a long report with every single time is read whole and fast', () => {
  const data = Array.from({ length: 600_000 }, (_, i) => i * 1e-7)
  const output = `. [100%]${json({ benchmarks: [{ name: 't', stats: { median: 0.5, data } }] })}\n{`
  const begun = performance.now()
  expect(toMetricLines('pytest-benchmark', output)).toBe('METRIC t=500000000\n')
  expect(toMetricLines('pytest-benchmark', output.slice(0, -9))).toBe('')
  expect(performance.now() - begun).toBeLessThan(20_000)
})

/** Names of any form, any of them twice: one metric for each benchmark, none of them twice. */
test('benchmarks have different metrics, with any names', () => {
  const random = rng(7)
  const below = (max: number) => Math.floor(random() * max)
  const signs = ['a', 'b', ' ', '/', '=', '_', '-', '.', 'ü', '[', 'x'.repeat(30)]
  const word = () => Array.from({ length: 1 + below(8) }, () => choice(random, signs)).join('')
  for (let round = 0; round < 300; round++) {
    const results = Array.from({ length: 1 + below(6) }, (_, n) => ({
      command: word(),
      median: 1,
      parameters: { n },
    }))
    const names = toMetricLines('hyperfine', json({ results }))
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split('=')[0])
    expect(new Set(names).size).toBe(results.length)
    for (const name of names) expect(name).toMatch(/^METRIC [A-Za-z0-9_.µ-]{1,64}$/)
  }
})

test('any name becomes that of a metric', () => {
  for (const name of ['a b', '//', 'x'.repeat(99), 'größe', 'A/b-c_d.e'])
    expect(metricNameOf(name)).toMatch(/^[A-Za-z0-9_.µ-]{1,64}$/)
})

test('a session measures by it', async () => {
  const at = lab({ 'n.txt': '100\n', 'b.sh': 'echo "BenchmarkSum-2 10 $(cat n.txt) ns/op"\n' })
  const research = await at.open()
  await research.init({
    ...paired,
    metric: 'BenchmarkSum',
    command: 'bash b.sh',
    format: 'go',
    scope: ['n.txt'],
    skipNullTest: true,
  })
  expect(await research.run()).toMatchObject({ status: 'baseline', metric: 100 })
  await research.log({ status: 'baseline' })
  at.put('n.txt', '80\n')
  expect(await research.run()).toMatchObject({ status: 'keep' })
})

const goTest = `package sum
import "testing"
var r int
func BenchmarkSum(b *testing.B) { for i := 0; i < b.N; i++ { r += i } }
func BenchmarkSub(b *testing.B) { b.Run("a b", func(b *testing.B) { for i := 0; i < b.N; i++ { r += i } }) }
`
const googleTest = `#include <benchmark/benchmark.h>
static void BM_A(benchmark::State& s) { long x = 0; for (auto _ : s) benchmark::DoNotOptimize(x += s.range(0)); }
BENCHMARK(BM_A)->Arg(8)->Unit(benchmark::kMicrosecond);
static void BM_F(benchmark::State& s) { for (auto _ : s) { s.SkipWithError("no data"); break; } }
BENCHMARK(BM_F);
BENCHMARK_MAIN();
`
const pytestTest = `import pytest
@pytest.mark.parametrize("n", [10], ids=["small one"])
def test_sum(benchmark, n):
    benchmark(lambda: sum(range(n)))
def test_fail(benchmark):
    benchmark(lambda: 1 / 0)
`
const vitestTest = `import { bench, describe } from 'vitest'
let r = 0
describe('outer', () => {
  bench('plain', () => { r++ }, { time: 20 })
  bench('fails', () => { throw new Error('x') }, { time: 20 })
})
`
const vitestBin = join(root, 'node_modules/vitest/vitest.mjs')

/** Each tool that is installed, with its own files and the names of its metrics. */
const tools: [
  BenchmarkFormat,
  needs: string,
  files: Record<string, string>,
  line: string,
  metrics: string[],
][] = [
  [
    'go',
    'go version',
    { 'go.mod': 'module example.org/sum\n\ngo 1.18\n', 'a_test.go': goTest },
    "go test -run='^$' -bench=. -benchtime=5ms -count 2 -cpu 2",
    ['BenchmarkSum', 'BenchmarkSub_a_b'],
  ],
  [
    'hyperfine',
    'hyperfine --version',
    {},
    "hyperfine -N -r2 -L n 1,2 -n 'named {n}' --export-json h.json 'sleep 0.0{n}' && cat h.json",
    ['named_1', 'named_2'],
  ],
  [
    'google-benchmark',
    'echo "#include <benchmark/benchmark.h>" | g++ -fsyntax-only -x c++ -',
    { 'b.cc': googleTest },
    'g++ b.cc -o b -lbenchmark -lpthread && ./b --benchmark_format=json --benchmark_min_time=0.01',
    ['BM_A_8'],
  ],
  [
    'pytest-benchmark',
    'python3 -c "import pytest_benchmark"',
    { 'test_b.py': pytestTest },
    'python3 -m pytest -q --benchmark-json=o.json test_b.py; cat o.json',
    ['test_sum_small_one'],
  ],
  [
    'vitest',
    `test -e ${vitestBin}`,
    { 'a.bench.mjs': vitestTest },
    `node ${vitestBin} bench --run --outputJson=o.json; cat o.json`,
    ['plain'],
  ],
]

test.each(tools)(
  '%s as it is installed here',
  { timeout: 120_000 },
  (format, needs, files, line, metrics) => {
    if (!full) return console.log(`not run: ${format}, needs ANODE_FAULTS`)
    const cwd = scratchWith(files)
    if (format === 'vitest') symlinkSync(join(root, 'node_modules'), join(cwd, 'node_modules'))
    const env = { ...process.env, HOME: cwd, VITEST: undefined, VITEST_POOL_ID: undefined }
    if (spawnSync('bash', ['-c', needs], { env }).status !== 0) return console.log(`not installed: ${format}`)
    const { stdout } = spawnSync('bash', ['-c', line], { cwd, env, encoding: 'utf8', maxBuffer: 64 << 20 })
    const found = [...toMetricLines(format, stdout).matchAll(/^METRIC (\S+)=(\d+(?:\.\d+)?)$/gm)]
    expect(found.map(([, name]) => name)).toEqual(metrics)
    for (const [, , ns] of found) expect(Number(ns)).toBeGreaterThan(0)
  },
)
