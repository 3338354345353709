// The output of each known benchmark tool becomes metrics in nanoseconds, and decides a real session.
import { expect, test, vi } from 'vitest'
import {
  type BenchmarkFormat,
  benchmarkFormats,
  metricNameOf,
  toMetricLines,
} from '../../../../internal/research/measure/benchmark-formats.ts'
import { lab, paired } from '../../../support/research.ts'

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
