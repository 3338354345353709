// Options, their values and operands, by what the table says of each.
import { expect, test } from 'vitest'
import { scanWords } from '../../../../../internal/policy/shell/programs/option-scan.ts'
import { readTable } from '../../../../../internal/policy/shell/programs/program-table.ts'

const table = readTable(`## reads
x | -ab -n: -f@ -o> -i? -w~ -c:@ -# +# --all --name: --file@ --color? .-exact: .! values=v,5
y | -n: plus
`)
const scan = (line: string, name = 'x') => {
  const program = table.get('reads')?.get(name)
  if (!program) throw new Error(name)
  return scanWords(line.split(' '), program)
}

test.each([
  ['-ab d', ['d'], []],
  ['-abn v c', ['c'], []],
  ['-nv c', ['c'], []],
  ['-n5 -f p c', undefined, undefined],
  ['c -n v', ['c'], ['v']],
  ['-- -z', ['-z'], []],
  ['-5 +5 -', ['-'], []],
  ['--all --name=v c', ['c'], []],
  ['--name v c', ['c'], []],
  ['--color c', ['c'], []],
  ['--color=v c', ['c'], []],
  ['-i c', ['c'], []],
  ['! -exact v', [], []],
])('%s', (line, operands, files) => {
  const found = scan(line)
  if (operands === undefined) expect(found).toBe('p')
  else expect(found).toMatchObject({ operands, files })
})

test.each([
  '-z',
  '-az',
  '--al',
  '--all=x',
  '--unknown',
  '-n',
  '--name',
  '-c v',
  '+x',
  '-exac v',
  '-exact',
  '--name=other',
])('%s is not told', (line) => expect(typeof scan(line)).toBe('string'))

test('finds files that an option writes', () => {
  expect(scan('-o v c')).toMatchObject({ writes: 'v', files: ['v'] })
  expect(scan('-w c')).toMatchObject({ writes: 'w', operands: ['c'] })
  expect(scan('-c v v')).toMatchObject({ files: ['v'] })
  expect(scan('+%F', 'y')).toMatchObject({ operands: ['+%F'] })
})
